import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What stands below the replies of an agent and of a mailbox. */
export class SignReplies1763600130001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table agents add column signature text not null default '';
      alter table mailboxes add column signature text not null default '';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table mailboxes drop column signature;
      alter table agents drop column signature;
    `);
  }
}
