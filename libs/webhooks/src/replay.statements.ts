import {
  type AccountConnection,
  type AccountTx,
  accountStatement,
  columns,
  hydrate,
  isUuid,
  uuidAt,
} from '#libs/database';
import { NotFound, Replay, type Webhook, existing } from '#libs/entities';
import { loaderOf } from '#libs/lists';
import { type WebhookOwner, ownerValues, visibleToOwner } from './webhook-owner.js';

export const REPLAYS_OF_WEBHOOKS = 'replays r join webhooks w on w.account_id = r.account_id and w.id = r.webhook_id';

const FIND = `select ${columns(Replay, 'r')}, w.url as "url", w.event as "event"
  from ${REPLAYS_OF_WEBHOOKS}
  where r.account_id = $1 and r.id = $2 and ${visibleToOwner(['$3', '$4', '$5'])}`;
const READ = accountStatement('replay_read', FIND);
const LOCK = accountStatement('replay_lock', `${FIND} for no key update of r`);

export async function readReplay(connection: AccountConnection, owner: WebhookOwner, id: string): Promise<Replay> {
  return (await find(connection, READ, owner, id)).replay;
}

export const lockReplay = (tx: AccountTx, owner: WebhookOwner, id: string): Promise<ReplayOfWebhook> =>
  find(tx, LOCK, owner, id);

interface ReplayOfWebhook {
  readonly replay: Replay;
  readonly webhook: Pick<Webhook, 'id' | 'url' | 'event'>;
}

async function find(connection: AccountConnection, statement: typeof READ, owner: WebhookOwner, id: string) {
  const row = isUuid(id)
    ? await connection.row<Pick<Webhook, 'url' | 'event'>>(statement, [id, ...ownerValues(owner)])
    : undefined;
  const replay = row && hydrate(Replay, { ...row }, 'r');
  if (!replay) throw new NotFound('replay');
  return { replay, webhook: { id: replay.webhookId, url: row.url, event: row.event } };
}

export const loadReplays = loaderOf(Replay, 'replay_load', 'replays');

/**
 * Locked webhooks are not removed; the order of ids avoids deadlocks. Two replays of one would send the same
 * deliveries.
 */
const START = accountStatement(
  'replays_start',
  `with kept as materialized (
     select w.id, w.url, w.event from webhooks w
     where w.account_id = $1 and w.id = any($2::uuid[]) and w.state <> 'disabled' and ${visibleToOwner(['$4', '$5', '$6'])}
     order by w.id for share of w
   ), started as (
     insert into replays (id, account_id, webhook_id, agent_id, choice, last_response, since, before, state, next_step_at, created_at)
     select made.id, $1, made.webhook_id, $6, $7, $8, $9, $10, 'counting', $11, $11
     from unnest($2::uuid[], $3::uuid[]) as made (webhook_id, id) join kept on kept.id = made.webhook_id
     on conflict (webhook_id) where finished_at is null do nothing returning *
   )
   select ${columns(Replay, 'r')}, kept.id as "webhookId", kept.url, kept.event
   from started r join kept on kept.id = r.webhook_id order by r.id desc`,
);

interface RequestedReplays extends Pick<Replay, 'choice' | 'lastResponse' | 'since' | 'before'> {
  readonly webhookIds: readonly string[];
  readonly now: Date;
}

interface StartedRow extends Pick<Webhook, 'url' | 'event'> {
  readonly webhookId: string;
}

export async function startReplays(
  tx: AccountTx,
  owner: WebhookOwner,
  { webhookIds, choice, lastResponse, since, before, now }: RequestedReplays,
): Promise<ReplayOfWebhook[]> {
  const ids = webhookIds.map(() => uuidAt(now));
  const values = [webhookIds, ids, ...ownerValues(owner), choice, lastResponse, since, before, now];
  const rows = await tx.rows<StartedRow>(START, values);
  return rows.map(({ webhookId, url, event, ...replay }) => ({
    replay: hydrate(Replay, replay, 'r')!,
    webhook: { id: webhookId, url, event },
  }));
}

const CANCEL_REPLAYS = accountStatement(
  'replays_cancel',
  `update replays set state = 'cancelled', finished_at = $3
   where account_id = $1 and webhook_id = $2 and finished_at is null`,
);

export async function cancelReplays(tx: AccountTx, webhookId: string, now: Date): Promise<void> {
  await tx.rows(CANCEL_REPLAYS, [webhookId, now]);
}

const FIND_OWNER = accountStatement(
  'operator_replay_find_owner',
  `select id from agents where account_id = $1 and role = 'owner' and state <> 'archived' order by created_at, id limit 1`,
);

export async function findOwnerId(account: AccountConnection): Promise<string> {
  return existing(await account.row<{ id: string }>(FIND_OWNER), 'agent').id;
}

const PROGRESS = accountStatement(
  'operator_replay_progress',
  `select count(*) filter (where finished_at is null)::int as running,
     count(*) filter (where state = 'counting')::int as counting,
     coalesce(sum(total), 0)::int as total, coalesce(sum(redelivered), 0)::int as redelivered
   from replays where account_id = $1 and id = any($2)`,
);

export interface ReplayProgress {
  readonly running: number;
  readonly counting: number;
  readonly total: number;
  readonly redelivered: number;
}

export const readReplayProgress = async (account: AccountConnection, ids: readonly string[]): Promise<ReplayProgress> =>
  (await account.row<ReplayProgress>(PROGRESS, [ids]))!;
