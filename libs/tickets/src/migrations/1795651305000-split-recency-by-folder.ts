import type { MigrationInterface, QueryRunner } from '#libs/database';
import { AddTicketRecency1795651302000 } from './1795651302000-add-ticket-recency.js';

const copyOf = (ticket: string): string =>
  `${ticket}.id, ${ticket}.account_id, ${ticket}.number,
     coalesce(array_position(array['low', 'medium', 'high', 'urgent'], ${ticket}.priority), 0),
     case when ${ticket}.deleted_at is not null then 'deleted' when ${ticket}.snoozed_until is not null then 'snoozed'
       when ${ticket}.state in ('closed', 'spam') then ${ticket}.state else 'open' end,
     ${ticket}.updated_at, ${ticket}.changed_in`;

/** With one range of an index for each folder, a list of spam or closed tickets reads no others. */
export class SplitRecencyByFolder1795651305000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      lock table tickets in share row exclusive mode;
      drop table ticket_recency;
      create table ticket_recency (
        ticket_id uuid not null,
        account_id uuid not null,
        ticket_number integer not null,
        rank smallint not null,
        folder text not null,
        touched_at timestamptz not null,
        changed_in bigint not null,
        primary key (account_id, changed_in, ticket_id)
      );
      insert into ticket_recency select ${copyOf('t')} from tickets t;
      create index ticket_recency_updated_idx on ticket_recency (account_id, folder, touched_at, ticket_number);
      create index ticket_recency_urgent_idx on ticket_recency (account_id, folder, rank, touched_at, ticket_number);

      create or replace function copy_ticket_recency() returns trigger language plpgsql as $$
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
            update ticket_recency set rank = place.rank, folder = place.folder, touched_at = place.touched_at,
                changed_in = place.changed_in
              where account_id = old.account_id and changed_in = old.changed_in and ticket_id = old.id;
          end if;
          return null;
        end
      $$;
    `);
  }

  /** Makes the earlier table again. */
  async down(runner: QueryRunner): Promise<void> {
    const earlier = new AddTicketRecency1795651302000();
    await earlier.down(runner);
    await earlier.up(runner);
  }
}
