import { type AccountTx, accountStatement, columns, hydrate, uuidAt } from '#libs/database';
import { Replay, type Webhook } from '#libs/entities';
import { type WebhookOwner, ownerValues, visibleToOwner } from './webhook-owner.js';

/**
 * One for each webhook, all of them or none. Webhooks are locked in the order of their ids: until the end of the transaction
 * none is removed or disabled. One that is being replayed already goes on as it is: two replays would send the same.
 */
const START = accountStatement(
  'replays_start',
  `with kept as materialized (
     select w.id, w.url, w.event from webhooks w
     where w.account_id = $1 and w.id = any($2::uuid[]) and w.state <> 'disabled' and ${visibleToOwner(['$4', '$5', '$6'])}
     order by w.id for share of w
   ), started as (
     insert into replays (id, account_id, webhook_id, agent_id, choice, answer, since, before, state, next_step_at, created_at)
     select made.id, $1, made.webhook_id, $6, $7, $8, $9, $10, 'counting', $11, $11
     from unnest($2::uuid[], $3::uuid[]) as made (webhook_id, id) join kept on kept.id = made.webhook_id
     on conflict (webhook_id) where finished_at is null do nothing returning *
   )
   select ${columns(Replay, 'r')}, kept.id as "webhookId", kept.url, kept.event
   from started r join kept on kept.id = r.webhook_id order by r.id desc`,
);

interface WantedReplays extends Pick<Replay, 'choice' | 'answer' | 'since' | 'before'> {
  readonly webhookIds: readonly string[];
  readonly now: Date;
}

interface StartedReplay {
  readonly replay: Replay;
  readonly webhook: Pick<Webhook, 'id' | 'url' | 'event'>;
}

type Row = Readonly<Record<'webhookId' | 'url', string>> & Pick<Webhook, 'event'>;

export async function startReplays(
  tx: AccountTx,
  owner: WebhookOwner,
  { webhookIds, choice, answer, since, before, now }: WantedReplays,
): Promise<StartedReplay[]> {
  const ids = webhookIds.map(() => uuidAt(now));
  const values = [webhookIds, ids, ...ownerValues(owner), choice, answer, since, before, now];
  const rows = await tx.rows<Row>(START, values);
  return rows.map(({ webhookId, url, event, ...replay }) => ({
    replay: hydrate(Replay, replay, 'r')!,
    webhook: { id: webhookId, url, event },
  }));
}
