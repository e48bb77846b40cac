import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FindWhatWasUpdated1763600041002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index messages_account_id_updated_at_id_idx on messages (account_id, updated_at, id);
      create index customers_account_id_updated_at_id_idx on customers (account_id, updated_at, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index messages_account_id_updated_at_id_idx, customers_account_id_updated_at_id_idx');
  }
}
