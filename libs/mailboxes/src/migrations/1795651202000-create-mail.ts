import type { MigrationInterface, QueryRunner } from '#libs/database';

export class CreateMail1795651202000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A message shows what became of its mails, so it has changed when one of them has.
      create function touch_mailed_message() returns trigger language plpgsql as $$
        begin
          update messages set updated_at = coalesce(new.ended_at, new.queued_at)
            where id = coalesce(new.message_id, new.copy_of);
          return null;
        end
      $$;

      -- A claim and a handover change no indexed column, so they write no index.
      create table outgoing_mails (
        id uuid primary key,
        account_id uuid not null references accounts,
        kind text not null,
        state text not null,
        reason text,
        recipient text not null,
        message_id uuid references messages on delete cascade,
        return_token text,
        tries integer not null default 0,
        lease uuid,
        handed_over_at timestamptz,
        due_at timestamptz not null,
        queued_at timestamptz not null,
        ended_at timestamptz,
        detail jsonb not null default '{}',
        caught jsonb,
        lane uuid not null,
        copy_of uuid references messages on delete cascade,
        leased_until timestamptz
      );
      create unique index outgoing_mails_message_id_idx on outgoing_mails (message_id);
      create unique index outgoing_mails_return_token_idx on outgoing_mails (return_token)
        where return_token is not null;
      create index outgoing_mails_account_id_queued_at_idx on outgoing_mails (account_id, queued_at);
      create index outgoing_mails_copy_of_idx on outgoing_mails (copy_of) where copy_of is not null;
      create index outgoing_mails_ended_idx on outgoing_mails (ended_at)
        where message_id is null and copy_of is null and ended_at is not null;
      create index outgoing_mails_notices_idx on outgoing_mails (recipient, queued_at)
        where detail ->> 'about' <> 'replies';
      create index outgoing_mails_lane_idx on outgoing_mails (lane, due_at) where state = 'queued';

      create table arrivals (
        id uuid primary key,
        account_id uuid not null references accounts,
        mailbox_id uuid not null references mailboxes on delete cascade,
        source text not null,
        envelope_from text,
        envelope_to text,
        hash text not null,
        size integer not null,
        state text not null,
        reason text,
        mail_id text,
        content_hash text,
        sender text,
        started_ticket boolean not null default false,
        ticket_id uuid references tickets on delete set null,
        message_id uuid references messages on delete set null,
        has_raw boolean not null default true,
        tries integer not null default 0,
        due_at timestamptz not null,
        created_at timestamptz not null,
        processed_at timestamptz,
        subject text,
        preview text,
        released boolean not null default false,
        verdicts jsonb,
        received_at timestamptz
      );
      create index arrivals_due_idx on arrivals (due_at) where state = 'waiting';
      create unique index arrivals_once_idx on arrivals (mailbox_id, mail_id, content_hash)
        where mail_id is not null and state <> 'duplicate';
      create index arrivals_raw_idx on arrivals (processed_at) where has_raw and state in ('processed', 'duplicate');
      create index arrivals_account_id_mail_id_idx on arrivals (account_id, mail_id);
      create index arrivals_account_id_sender_processed_at_idx on arrivals (account_id, sender, processed_at);
      create index arrivals_message_id_idx on arrivals (message_id);
      create index arrivals_ticket_id_idx on arrivals (ticket_id);
      create index arrivals_listed_idx on arrivals (account_id, state, created_at, id);
      create index arrivals_quarantined_idx on arrivals (processed_at) where state = 'quarantined';

      create table mailbox_smtp (
        id uuid primary key references mailboxes on delete cascade,
        account_id uuid not null references accounts,
        host text not null,
        port integer not null,
        security text not null,
        username text,
        sealed bytea,
        key_id text,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );
      create index mailbox_smtp_account_id_idx on mailbox_smtp (account_id);

      -- The latest test of a mailbox: a mail to itself, and whether it came back.
      create table mailbox_tests (
        id uuid primary key references mailboxes on delete cascade,
        account_id uuid not null references accounts,
        mail_id uuid not null references outgoing_mails on delete cascade,
        started_at timestamptz not null,
        arrived_at timestamptz,
        source text
      );
      create unique index mailbox_tests_mail_id_idx on mailbox_tests (mail_id);

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
        last_response_at timestamptz,
        failing_since timestamptz,
        last_error text,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );

      create table imap_imports (
        id uuid primary key references imap_accounts on delete cascade,
        account_id uuid not null references accounts,
        since timestamptz,
        uid_validity bigint,
        last_uid bigint not null default 0,
        end_uid bigint not null default 0,
        total integer,
        done integer not null default 0,
        due_at timestamptz not null default now(),
        tries integer not null default 0,
        stuck_uid bigint,
        stuck_tries integer not null default 0,
        last_error text,
        started_at timestamptz not null,
        ended_at timestamptz,
        stopped boolean not null default false
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

      create trigger arrivals_deleted after delete on arrivals for each row execute function stray_file_of_attachment();
      create trigger outgoing_mails_told after update of state on outgoing_mails for each row
        when (old.state is distinct from new.state and coalesce(new.message_id, new.copy_of) is not null)
        execute function touch_mailed_message();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table
        outgoing_mails, arrivals, mailbox_smtp, mailbox_tests, imap_accounts, imap_imports, imap_mails;
      drop function
        touch_mailed_message;
    `);
  }
}
