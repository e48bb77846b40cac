import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where mailboxes get their mail by IMAP, and which mails of these servers are known. */
export class CreateImapAccounts1763600120000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table imap_accounts (
        id uuid primary key references mailboxes on delete cascade,
        account_id uuid not null references accounts,
        host text not null,
        port integer not null,
        security text not null,
        username text not null,
        folder text not null,
        sign_in text not null,
        token_url text,
        client_id text,
        sealed bytea not null,
        key_id text not null,
        paused boolean not null default false,
        generation integer not null default 0,
        uid_validity bigint,
        last_uid bigint not null default 0,
        compare_since timestamptz,
        compared_at timestamptz,
        lease uuid,
        leased_until timestamptz,
        due_at timestamptz not null default now(),
        tries integer not null default 0,
        stuck_uid bigint,
        stuck_tries integer not null default 0,
        connected_at timestamptz,
        heard_at timestamptz,
        failing_since timestamptz,
        last_error text,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );
      create table imap_mails (
        mailbox_id uuid not null references imap_accounts on delete cascade,
        generation integer not null,
        uid bigint not null,
        account_id uuid not null references accounts,
        hash text not null,
        seen_at timestamptz not null,
        primary key (mailbox_id, generation, uid)
      );
      create index imap_mails_mailbox_id_hash_idx on imap_mails (mailbox_id, hash);
      create index imap_mails_mailbox_id_seen_at_idx on imap_mails (mailbox_id, seen_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table imap_mails; drop table imap_accounts');
  }
}
