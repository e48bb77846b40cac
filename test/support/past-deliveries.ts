import { uuidAt } from '#libs/database';
import type { DeliveryState } from '#libs/entities';
import type { AccountDesk as Desk } from './account-desk.js';

/**
 * Inserts deliveries of a webhook as a worker leaves them, a second apart, the last one now. Returns their ids, oldest
 * first.
 */
export async function insertPastDeliveries(
  desk: Desk,
  webhookId: string,
  states: readonly DeliveryState[],
  { eventKept = true } = {},
): Promise<string[]> {
  const { id: accountId } = desk.account;
  const start = desk.clock.now().getTime() - states.length * 1000;
  const made = states.map((state, place) => {
    const at = new Date(start + place * 1000);
    return { state, at, id: uuidAt(at), eventId: uuidAt(at) };
  });
  const columns = [accountId, webhookId, made.map(({ id }) => id), made.map(({ eventId }) => eventId)];
  if (eventKept)
    await desk.sql.query(
      `insert into events (id, account_id, sequence, kind, payload, transaction_id, created_at)
       select id, $1, event_sequence($1, place), 'ticket_started', '{"number":1}', pg_current_xact_id()::text::bigint, at
       from unnest($2::uuid[], $3::timestamptz[]) with ordinality as e(id, at, place)`,
      [accountId, columns[3], made.map(({ at }) => at)],
    );
  await desk.sql.query(
    `insert into deliveries (id, account_id, webhook_id, event_id, kind, state, attempts, created_at)
     select id, $1, $2, event_id, 'ticket_started', state, 1, at
     from unnest($3::uuid[], $4::uuid[], $5::text[], $6::timestamptz[]) as d(id, event_id, state, at)`,
    [...columns, made.map(({ state }) => state), made.map(({ at }) => at)],
  );
  await desk.sql.query(
    `insert into delivery_counts (webhook_id, hour, shard, account_id, delivered, retried, given_up, duration_ms, longest_ms)
     select $2, date_trunc('hour', at, 'UTC'), 0, $1, count(*) filter (where state = 'delivered'), 0,
       count(*) filter (where state = 'exhausted'), 40 * count(*) filter (where state in ('delivered', 'exhausted')), 40
     from unnest($3::text[], $4::timestamptz[]) as d(state, at) group by 2
     on conflict (webhook_id, hour, shard) do update set delivered = delivery_counts.delivered + excluded.delivered,
       given_up = delivery_counts.given_up + excluded.given_up, duration_ms = delivery_counts.duration_ms + excluded.duration_ms,
       longest_ms = greatest(delivery_counts.longest_ms, excluded.longest_ms)`,
    [accountId, webhookId, made.map(({ state }) => state), made.map(({ at }) => at)],
  );
  return made.map(({ id }) => id);
}
