import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails that were accepted. Their bytes are files, which upkeep hears of when a row goes, however. */
export class CreateArrivals1763600053000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
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
        understood_at timestamptz
      );
      create index arrivals_due_idx on arrivals (due_at) where state = 'waiting';
      create unique index arrivals_once_idx on arrivals (mailbox_id, mail_id, content_hash)
        where mail_id is not null and state <> 'repeated';
      create index arrivals_raw_idx on arrivals (understood_at) where has_raw and state in ('understood', 'repeated');
      create index arrivals_account_id_mail_id_idx on arrivals (account_id, mail_id);
      create index arrivals_account_id_sender_understood_at_idx on arrivals (account_id, sender, understood_at);
      create index arrivals_message_id_idx on arrivals (message_id);
      create index arrivals_ticket_id_idx on arrivals (ticket_id);
      create trigger arrivals_deleted after delete on arrivals
        for each row execute function stray_file_of_attachment();

      create index mailboxes_email_idx on mailboxes (email);
      alter table messages add column channel text;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table messages drop column channel; drop index mailboxes_email_idx; drop table arrivals');
  }
}
