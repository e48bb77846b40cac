import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a trial would have sent, for a page to show. */
export class KeepMailOfTrials1763600092000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table outgoing_mails add column caught jsonb;
      create index outgoing_mails_account_id_queued_at_idx on outgoing_mails (account_id, queued_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index outgoing_mails_account_id_queued_at_idx;
      alter table outgoing_mails drop column caught;
    `);
  }
}
