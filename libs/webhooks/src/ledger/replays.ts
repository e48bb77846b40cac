import {
  type AccountTx,
  type SystemConnection,
  type SystemTx,
  accountStatement,
  columns,
  filter,
  hydrate,
  systemStatement,
} from '#libs/database';
import { Replay, type WebhookState } from '#libs/entities';

const REASON = 'The worker carries out the replays of every account; each row is bound to the account of its replay';

export interface DueReplay {
  readonly replay: Replay;
  readonly webhookState: WebhookState | 'deleted';
  /** Deliveries of its webhook that are in the queue or due now, counted up to the limit asked for. */
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
       select from owed_deliveries o where o.webhook_id = r.webhook_id and not o.queued and o.feed_at <= $1 limit $2) x) n
   where r.finished_at is null and r.next_step_at <= $1
   order by r.next_step_at limit 1 for no key update of r skip locked`,
);

/** The replay whose turn it is, locked until the end of the transaction. */
export async function takeDueReplay(tx: SystemConnection, now: Date, maxDue: number): Promise<DueReplay | null> {
  const row = await tx.row<Pick<DueReplay, 'webhookState' | 'due'>>(TAKE_REPLAY, [now, maxDue]);
  if (!row) return null;
  return { ...row, replay: hydrate(Replay, row as unknown as Record<string, unknown>, 'r')! };
}

const LOCK_REPLAYED_WEBHOOK = systemStatement(
  'replay_keep_webhook',
  REASON,
  `select from webhooks where ${filter('account_id = $1')} and id = $2 for share skip locked`,
);

/** False while somebody changes or deletes it: they lock the webhook first and then its replays, so this would deadlock. */
export async function lockReplayedWebhook(tx: SystemConnection, { accountId, webhookId }: Replay): Promise<boolean> {
  return (await tx.rows(LOCK_REPLAYED_WEBHOOK, [accountId, webhookId])).length > 0;
}

const CANCEL_REPLAYS = accountStatement(
  'replays_cancel',
  `update replays set state = 'cancelled', finished_at = $3
   where account_id = $1 and webhook_id = $2 and finished_at is null`,
);

/** With the webhook that they were for. */
export async function cancelReplays(tx: AccountTx, webhookId: string, now: Date): Promise<void> {
  await tx.rows(CANCEL_REPLAYS, [webhookId, now]);
}

/** How far it came, in the transaction of the step. */
export async function saveReplay(tx: SystemTx, replay: Replay): Promise<void> {
  const { id, accountId, state, total, redelivered, position, nextStepAt, finishedAt } = replay;
  const replays = tx.account(accountId).repository(Replay);
  await replays.update({ id }, { state, total, redelivered, position, nextStepAt, finishedAt });
}

const SWEEP_REPLAYS = systemStatement(
  'retention_replays',
  'What is kept is decided by its age alone, in every account',
  `delete from replays where ctid = any(array(select ctid from replays where id < $1 and finished_at is not null limit $2))
   returning 1`,
);

/** Those that have ended. Says how many. */
export async function sweepReplays(db: SystemConnection, beforeId: string, limit: number): Promise<number> {
  return (await db.rows(SWEEP_REPLAYS, [beforeId, limit])).length;
}
