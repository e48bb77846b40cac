import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails to people outside, and which mailboxes mail their replies: none of those that there are. */
export class CreateOutgoingMails1763600090000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table mailboxes add column replies_by_mail boolean not null default false;

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
        ended_at timestamptz
      );
      create index outgoing_mails_due_idx on outgoing_mails (due_at) where state = 'queued';
      create unique index outgoing_mails_message_id_idx on outgoing_mails (message_id);
      create unique index outgoing_mails_return_token_idx on outgoing_mails (return_token) where return_token is not null;
    `);
    await runner.query(MESSAGE_TELLS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table outgoing_mails;
      drop function touch_mailed_message;
      alter table mailboxes drop column replies_by_mail;
    `);
  }
}

/** What became of its mail is told by a message, so the message has changed, whoever changed the mail. */
const MESSAGE_TELLS = `
  create function touch_mailed_message() returns trigger language plpgsql as $$
    begin
      update messages set updated_at = coalesce(new.ended_at, new.queued_at) where id = new.message_id;
      return null;
    end $$;
  create trigger outgoing_mails_told after update of state on outgoing_mails for each row
    when (old.state is distinct from new.state and new.message_id is not null) execute function touch_mailed_message();
`;
