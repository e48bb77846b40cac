import type { MigrationInterface, QueryRunner } from '#libs/database';

/** The last message of a ticket is found without reading the notes after it. */
export class IndexLastMessages1795651306000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index messages_last_idx on messages (ticket_id, id) where not note');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index messages_last_idx');
  }
}
