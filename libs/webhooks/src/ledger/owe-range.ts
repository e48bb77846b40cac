import { type SystemConnection, byKey, filter, systemStatement } from '#libs/database';
import type { Replay } from '#libs/entities';
import { replayedSql, statesToReplay } from '../replay-choice.js';

const REASON = 'A replay is of any account; its deliveries are bound to that account';

const WANTED = replayedSql('d', { states: '$7', answer: '$8' });

const IN_RANGE = `near as materialized (
     select d.id, d.state, ${WANTED} as wanted from deliveries d
     where d.account_id = $1 and (d.webhook_id, d.id) >= ($2, uuid_at($3))
       and (d.webhook_id, d.id) < ($2, uuid_at($4)) and (d.webhook_id, d.id) > ($2, coalesce($5::uuid, uuid_at($3)))
     order by d.webhook_id, d.id limit $6
   )`;

export interface CountedRange {
  readonly lookedAt: number;
  readonly wanted: number;
  readonly last: string | null;
}

export interface OwedRange extends CountedRange {
  readonly owed: number;
  readonly lastWanted: string | null;
}

const rangeValues = (replay: Replay, length: number): unknown[] => [
  replay.accountId,
  replay.webhookId,
  replay.since,
  replay.before,
  replay.position,
  length,
  statesToReplay(replay.choice),
  replay.answer,
];

const COUNT_RANGE = systemStatement(
  'replay_count',
  REASON,
  `with ${IN_RANGE}
   select count(*)::int as "lookedAt", (count(*) filter (where wanted))::int as wanted,
     (select id from near order by id desc limit 1) as last from near`,
);

/** Looks at the next `length` deliveries of the replay’s range, and counts those it would send again. */
export async function countRange(tx: SystemConnection, replay: Replay, length: number): Promise<CountedRange> {
  return (await tx.row<CountedRange>(COUNT_RANGE, rangeValues(replay, length)))!;
}

const OWE_RANGE = systemStatement(
  'replay_owe',
  REASON,
  `with ${IN_RANGE}, chosen as materialized (
     select id, state from near where wanted order by id limit $9
   ), hurried as (
     update owed_deliveries o set feed_at = $10 from chosen
     where ${byKey('o.delivery_id', 'chosen.id')} and ${filter('not o.queued and o.feed_at > $10')} returning o.delivery_id
   ), owed as (
     insert into owed_deliveries (delivery_id, account_id, webhook_id, event_id, attempts, queued, feed_at)
     select d.id, d.account_id, d.webhook_id, d.event_id, d.attempts, false, $10
     from chosen cross join lateral (select * from deliveries where id = chosen.id limit 1) d
       cross join lateral (select from events where id = d.event_id limit 1) e
     where chosen.state <> 'pending' order by d.id
     on conflict do nothing returning delivery_id
   ), due as materialized (
     select delivery_id from hurried union all select delivery_id from owed
   ), again as (
     update deliveries d set state = 'pending', next_attempt_at = $10, finished_at = null
     from due where ${byKey('d.id', 'due.delivery_id')}
   )
   select (select count(*)::int from near) as "lookedAt", (select count(*)::int from chosen) as wanted,
     (select count(*)::int from due) as owed, (select id from near order by id desc limit 1) as last,
     (select id from chosen order by id desc limit 1) as "lastWanted"`,
);

/**
 * Owes them again, from the front of the range and no more than there is room for. What is owed already and waits for its
 * next attempt goes now instead: it keeps its one row and its number of attempts. The owed rows are written before the
 * deliveries, as in `recordAttempts`. What was purged meanwhile can no longer be sent.
 */
export async function oweRange(
  tx: SystemConnection,
  replay: Replay,
  { length, room, now }: { readonly length: number; readonly room: number; readonly now: Date },
): Promise<OwedRange> {
  return (await tx.row<OwedRange>(OWE_RANGE, [...rangeValues(replay, length), room, now]))!;
}
