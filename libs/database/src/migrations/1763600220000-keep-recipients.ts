import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who else got a message, who gets a copy of the next reply, and the mails that bring the copies. */
export class KeepRecipients1763600220000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table messages add to_addresses text[] not null default '{}', add cc_addresses text[] not null default '{}';
      alter table tickets add cc_addresses text[] not null default '{}';
      alter table drafts add cc_addresses text[] not null default '{}', add removed_cc text[] not null default '{}';
      alter table held_replies add cc_addresses text[] not null default '{}';
      alter table outgoing_mails add copy_of uuid references messages on delete cascade;
      create index outgoing_mails_copy_of_idx on outgoing_mails (copy_of) where copy_of is not null;
      drop index outgoing_mails_ended_idx;
      create index outgoing_mails_ended_idx on outgoing_mails (ended_at)
        where message_id is null and copy_of is null and ended_at is not null;
      ${messageTells('coalesce(new.message_id, new.copy_of)')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${messageTells('new.message_id')}
      drop index outgoing_mails_ended_idx;
      create index outgoing_mails_ended_idx on outgoing_mails (ended_at) where message_id is null and ended_at is not null;
      alter table outgoing_mails drop copy_of;
      alter table held_replies drop cc_addresses;
      alter table drafts drop removed_cc, drop cc_addresses;
      alter table tickets drop cc_addresses;
      alter table messages drop cc_addresses, drop to_addresses;
    `);
  }
}

/** A message tells what became of its mails, so it has changed when one of them has. */
const messageTells = (message: string): string => `
  drop trigger outgoing_mails_told on outgoing_mails;
  create or replace function touch_mailed_message() returns trigger language plpgsql as $$
    begin
      update messages set updated_at = coalesce(new.ended_at, new.queued_at) where id = ${message};
      return null;
    end $$;
  create trigger outgoing_mails_told after update of state on outgoing_mails for each row
    when (old.state is distinct from new.state and ${message} is not null) execute function touch_mailed_message();`;
