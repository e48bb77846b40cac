import type { MigrationInterface, QueryRunner } from 'typeorm';

/** As the lists are sorted: `libs/tickets/src/lists/ticket-orders.ts` has the same expressions. */
const WAITING = `(case when state in ('closed', 'spam') then timestamptz '9999-12-31 00:00:00+00'
  else coalesce(waiting_since, timestamptz '9999-12-31 00:00:00+00') end)`;
const PRIORITY = `(case priority when 'urgent' then 4 when 'high' then 3 when 'medium' then 2 when 'low' then 1 else 0 end)`;

const LIVE = 'deleted_at is null';
const OPEN = `${LIVE} and state not in ('closed', 'spam')`;

/** By whose customer has waited longest, and by priority. For the open tickets each has an index of its own: they are few among many. */
export class OrderLists1763600102000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Programs that follow the tickets need not read them all again: nothing that they are told of changes.
    await runner.query(`
      alter table tickets disable trigger user;
      update tickets t set waiting_since = w.since from (
        select o.id, (
          select min(s.created_at) from messages s where s.ticket_id = o.id and not s.note and s.author_agent_id is null
            and s.id > coalesce((select a.id from messages a where a.ticket_id = o.id and not a.note
              and a.author_agent_id is not null order by a.id desc limit 1), '00000000-0000-0000-0000-000000000000')
        ) as since from tickets o where o.deleted_at is null and o.state not in ('closed', 'spam')
      ) w where t.id = w.id and w.since is not null;
      alter table tickets enable trigger user;
    `);
    await runner.query(`
      create index tickets_waiting_idx on tickets (account_id, ${WAITING}, number) where ${LIVE};
      create index tickets_open_waiting_idx on tickets (account_id, ${WAITING}, number) where ${OPEN};
      create index tickets_urgent_idx on tickets (account_id, ${PRIORITY}, updated_at, number) where ${LIVE};
      create index tickets_open_urgent_idx on tickets (account_id, ${PRIORITY}, updated_at, number) where ${OPEN};
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'drop index tickets_waiting_idx, tickets_open_waiting_idx, tickets_urgent_idx, tickets_open_urgent_idx',
    );
  }
}
