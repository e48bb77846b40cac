import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Few tickets are snoozed, so both indexes are small. */
export class WakeSnoozedTickets1763600037000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index tickets_snoozed_idx on tickets (account_id, created_at, number) where snoozed_until is not null;
      create index tickets_wake_idx on tickets (snoozed_until) where snoozed_until is not null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index tickets_snoozed_idx, tickets_wake_idx');
  }
}
