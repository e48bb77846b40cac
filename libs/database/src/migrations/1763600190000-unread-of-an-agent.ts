import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Every page of the console says how much an agent has not read. That is looked up among theirs, however much the desk has. */
export class UnreadOfAnAgent1763600190000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index tickets_unread_assigned_idx on tickets (assignee_id)
        where state = 'unread' and deleted_at is null and snoozed_until is null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index tickets_unread_assigned_idx;');
  }
}
