import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How much of unknown senders a mailbox has received on the last day on which it received any. Rewrites no row. */
export class CountUnknownSenders1763600230000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table mailboxes
        add column unknown_senders_day integer,
        add column unknown_senders_kib integer not null default 0;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table mailboxes drop column unknown_senders_day, drop column unknown_senders_kib;');
  }
}
