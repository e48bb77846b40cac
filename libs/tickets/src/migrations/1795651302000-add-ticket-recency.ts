import type { MigrationInterface, QueryRunner } from '#libs/database';

const rankOf = (priority: string): string =>
  `(case ${priority} when 'urgent' then 4 when 'high' then 3 when 'medium' then 2 when 'low' then 1 else 0 end)`;

const copyOf = (ticket: string): string =>
  ['id', 'account_id', 'number', 'deleted_at is null', "state not in ('closed', 'spam')"]
    .map((column) => `${ticket}.${column}`)
    .concat(rankOf(`${ticket}.priority`), `${ticket}.updated_at`, `${ticket}.changed_in`)
    .join(', ');

/**
 * Copies what a message changes in its ticket, with the indexes of it, so that a message writes no other index of
 * `tickets`. See docs/decisions/writes-of-a-message.md.
 */
export class AddTicketRecency1795651302000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table ticket_recency (
        ticket_id uuid not null,
        account_id uuid not null,
        ticket_number integer not null,
        live boolean not null,
        open boolean not null,
        rank smallint not null,
        touched_at timestamptz not null,
        changed_in bigint not null,
        primary key (account_id, changed_in, ticket_id)
      );
      lock table tickets in share row exclusive mode;
      insert into ticket_recency select ${copyOf('t')} from tickets t;
      create index ticket_recency_updated_idx on ticket_recency (account_id, open, touched_at, ticket_number) where live;
      create index ticket_recency_urgent_idx on ticket_recency (account_id, open, rank, touched_at, ticket_number) where live;

      create function copy_ticket_recency() returns trigger language plpgsql as $$
        declare
          place ticket_recency;
        begin
          if tg_op = 'DELETE' then
            delete from ticket_recency
              where account_id = old.account_id and changed_in = old.changed_in and ticket_id = old.id;
            return null;
          end if;
          place := (${copyOf('new')});
          if tg_op = 'INSERT' then
            insert into ticket_recency select place.*;
          else
            update ticket_recency set live = place.live, open = place.open, rank = place.rank,
                touched_at = place.touched_at, changed_in = place.changed_in
              where account_id = old.account_id and changed_in = old.changed_in and ticket_id = old.id;
          end if;
          return null;
        end
      $$;
      create trigger tickets_copy_recency after insert or update or delete on tickets for each row
        execute function copy_ticket_recency();

      drop index tickets_updated_idx, tickets_open_updated_idx, tickets_urgent_idx, tickets_open_urgent_idx,
        tickets_account_id_changed_in_id_idx;
      -- Leaves room for the next version of a ticket in its page.
      alter table tickets set (fillfactor = 85);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger tickets_copy_recency on tickets;
      drop function copy_ticket_recency;
      drop table ticket_recency;
      create index tickets_updated_idx on tickets (account_id, updated_at, number) where deleted_at is null;
      create index tickets_open_updated_idx on tickets (account_id, updated_at, number)
        where deleted_at is null and state not in ('closed', 'spam');
      create index tickets_urgent_idx on tickets (account_id, ${rankOf('priority')}, updated_at, number)
        where deleted_at is null;
      create index tickets_open_urgent_idx on tickets (account_id, ${rankOf('priority')}, updated_at, number)
        where deleted_at is null and state not in ('closed', 'spam');
      create index tickets_account_id_changed_in_id_idx on tickets (account_id, changed_in, id);
      alter table tickets reset (fillfactor);
    `);
  }
}
