import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the server that received for a mailbox found out about the sender of a mail. */
export class KeepVerdicts1763600130002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table mailboxes add column authserv_id text;
      alter table arrivals add column verdicts jsonb;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table arrivals drop column verdicts;
      alter table mailboxes drop column authserv_id;
    `);
  }
}
