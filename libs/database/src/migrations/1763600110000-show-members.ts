import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A group shows its members, so a copy that follows the changes is told of them. Groups are few, as are the agents in them. */
export class ShowMembers1763600110000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table groups add column members text[] not null default '{}';
      update groups g set members = found.emails from (
        select x.group_id, array_agg(a.email order by a.email collate "C") as emails
        from group_members x join agents a on a.id = x.agent_id group by x.group_id
      ) found where found.group_id = g.id;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table groups drop column members');
  }
}
