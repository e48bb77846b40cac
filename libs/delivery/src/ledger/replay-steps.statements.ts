import { type SystemConnection, type SystemTx, byKey, columns, filter, hydrate, systemStatement } from '#libs/database';
import { Replay, type WebhookState } from '#libs/entities';
import { replayedSql, statesToReplay } from '../replay-choice.js';

const REASON = 'The worker carries out the replays of every account; each row is bound to the account of its replay';

export interface DueReplay {
  readonly replay: Replay;
  readonly webhookState: WebhookState | 'deleted';
  readonly due: number;
}

const TAKE_REPLAY = systemStatement(
  'replay_take',
  REASON,
  `select ${columns(Replay, 'r')}, coalesce(w.state, 'deleted') as "webhookState", q.count + n.count as due
   from replays r left join lateral (select state from webhooks where id = r.webhook_id limit 1) w on true
     cross join lateral (select count(*)::int from (
       select from owed_deliveries o where o.webhook_id = r.webhook_id and o.queued limit $2) x) q
     cross join lateral (select count(*)::int from (
       select from owed_deliveries o where o.webhook_id = r.webhook_id and not o.queued and o.due_at <= $1 limit $2) x) n
   where r.finished_at is null and r.next_step_at <= $1
   order by r.next_step_at limit 1 for no key update of r skip locked`,
);

export async function takeDueReplay(tx: SystemConnection, now: Date, maxDue: number): Promise<DueReplay | null> {
  const row = await tx.row<Pick<DueReplay, 'webhookState' | 'due'>>(TAKE_REPLAY, [now, maxDue]);
  if (!row) return null;
  return { ...row, replay: hydrate(Replay, row as unknown as Record<string, unknown>, 'r')! };
}

const LOCK_REPLAYED_WEBHOOK = systemStatement(
  'replay_lock_webhook',
  REASON,
  `select from webhooks where ${filter('account_id = $1')} and id = $2 for share skip locked`,
);

/** False while another transaction changes the webhook. Those lock it before its replays, so waiting would deadlock. */
export async function lockReplayedWebhook(tx: SystemConnection, { accountId, webhookId }: Replay): Promise<boolean> {
  return (await tx.rows(LOCK_REPLAYED_WEBHOOK, [accountId, webhookId])).length > 0;
}

export async function saveReplay(tx: SystemTx, replay: Replay): Promise<void> {
  const { id, accountId, state, total, redelivered, position, nextStepAt, finishedAt } = replay;
  const replays = tx.account(accountId).repository(Replay);
  await replays.update({ id }, { state, total, redelivered, position, nextStepAt, finishedAt });
}

const SWEEP_REPLAYS = systemStatement(
  'replays_sweep',
  'What is kept is decided by its age alone, in every account',
  `delete from replays where ctid = any(array(select ctid from replays where id < $1 and finished_at is not null limit $2))
   returning 1`,
);

export async function sweepReplays(db: SystemConnection, beforeId: string, limit: number): Promise<number> {
  return (await db.rows(SWEEP_REPLAYS, [beforeId, limit])).length;
}

const IS_WANTED = replayedSql('d', { states: '$7', lastResponse: '$8' });

const IN_RANGE = `near as materialized (
     select d.id, d.state, ${IS_WANTED} as wanted from deliveries d
     where d.account_id = $1 and (d.webhook_id, d.id) >= ($2, uuid_at($3))
       and (d.webhook_id, d.id) < ($2, uuid_at($4)) and (d.webhook_id, d.id) > ($2, coalesce($5::uuid, uuid_at($3)))
     order by d.webhook_id, d.id limit $6
   )`;

interface CountedRange {
  readonly scanned: number;
  readonly wanted: number;
  readonly last: string | null;
}

interface OwedRange extends CountedRange {
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
  replay.lastResponse,
];

const COUNT_RANGE = systemStatement(
  'replay_count',
  REASON,
  `with ${IN_RANGE}
   select count(*)::int as scanned, (count(*) filter (where wanted))::int as wanted,
     (select id from near order by id desc limit 1) as last from near`,
);

export async function countRange(tx: SystemConnection, replay: Replay, length: number): Promise<CountedRange> {
  return (await tx.row<CountedRange>(COUNT_RANGE, rangeValues(replay, length)))!;
}

const OWE_RANGE = systemStatement(
  'replay_owe',
  REASON,
  `with ${IN_RANGE}, chosen as materialized (
     select id, state from near where wanted order by id limit $9
   ), hurried as (
     update owed_deliveries o set due_at = $10 from chosen
     where ${byKey('o.delivery_id', 'chosen.id')} and ${filter('not o.queued and o.due_at > $10')} returning o.delivery_id
   ), owed as (
     insert into owed_deliveries (delivery_id, account_id, webhook_id, event_id, attempts, queued, due_at)
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
   select (select count(*)::int from near) as scanned, (select count(*)::int from chosen) as wanted,
     (select count(*)::int from due) as owed, (select id from near order by id desc limit 1) as last,
     (select id from chosen order by id desc limit 1) as "lastWanted"`,
);

/**
 * A delivery that waits for a retry becomes due now and keeps its attempts. Writes owed rows before deliveries, as
 * `recordAttempts` does. Skips deliveries without their event.
 */
export async function oweRange(
  tx: SystemConnection,
  replay: Replay,
  { length, room, now }: { readonly length: number; readonly room: number; readonly now: Date },
): Promise<OwedRange> {
  return (await tx.row<OwedRange>(OWE_RANGE, [...rangeValues(replay, length), room, now]))!;
}
