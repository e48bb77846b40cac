import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The inbox is sorted by what changed last, and the folder of the deleted is one account's. And a page of a list is
 * never read by several processes: starting them takes longer than reading it.
 */
export class KeepListsFlat1763600016000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index tickets_open_updated_idx on tickets (account_id, updated_at, number)
        where deleted_at is null and state not in ('closed', 'spam');
      create index tickets_deleted_created_idx on tickets (account_id, created_at, number) where deleted_at is not null;
      alter table tickets set (parallel_workers = 0);
      alter table ticket_words set (parallel_workers = 0);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table ticket_words reset (parallel_workers);
      alter table tickets reset (parallel_workers);
      drop index tickets_deleted_created_idx, tickets_open_updated_idx;
    `);
  }
}
