import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The latest test of each mailbox: a mail to itself, and whether it came back. */
export class TestMailboxes1763600160000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table mailbox_tests (
        id uuid primary key references mailboxes on delete cascade,
        account_id uuid not null references accounts,
        mail_id uuid not null references outgoing_mails on delete cascade,
        started_at timestamptz not null,
        arrived_at timestamptz,
        source text
      );
      create unique index mailbox_tests_mail_id_idx on mailbox_tests (mail_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table mailbox_tests');
  }
}
