import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A mailbox sends through a mail server of its own, and mails that go out take turns by mailbox. */
export class SendByOwnServers1763600130000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
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
      alter table mailboxes add column has_smtp boolean not null default false;

      alter table outgoing_mails add column lane uuid;
      update outgoing_mails o set lane = account_id where state <> 'queued' or message_id is null;
      update outgoing_mails o set lane = t.mailbox_id from messages s join tickets t on t.id = s.ticket_id
        where o.lane is null and s.id = o.message_id;
      alter table outgoing_mails alter column lane set not null;
      drop index outgoing_mails_due_idx;
      create index outgoing_mails_lane_idx on outgoing_mails (lane, due_at)
        where state = 'queued' and handed_over_at is null;
      create index outgoing_mails_handed_over_idx on outgoing_mails (due_at)
        where state = 'queued' and handed_over_at is not null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index outgoing_mails_handed_over_idx;
      drop index outgoing_mails_lane_idx;
      create index outgoing_mails_due_idx on outgoing_mails (due_at) where state = 'queued';
      alter table outgoing_mails drop column lane;
      alter table mailboxes drop column has_smtp;
      drop table mailbox_smtp;
    `);
  }
}
