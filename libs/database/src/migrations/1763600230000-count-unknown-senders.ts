import type { MigrationInterface, QueryRunner } from 'typeorm';

/** All columns but the counters: clients that follow changes need not fetch a mailbox again because mail came in. */
const COLUMNS =
  'account_id, name, email, email_since, replies_by_mail, has_smtp, signature, authserv_id, created_at, updated_at';

/** How much a mailbox received from unknown senders on the last day on which it received any. Rewrites no row. */
export class CountUnknownSenders1763600230000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table mailboxes
        add column unknown_senders_day integer,
        add column unknown_senders_kib integer not null default 0;
      drop trigger mailboxes_mark_update on mailboxes;
      create trigger mailboxes_mark_update before update of ${COLUMNS} on mailboxes
        for each row execute function mark_if_changed();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger mailboxes_mark_update on mailboxes;
      create trigger mailboxes_mark_update before update on mailboxes for each row execute function mark_if_changed();
      alter table mailboxes drop column unknown_senders_day, drop column unknown_senders_kib;
    `);
  }
}
