import { type AccountConnection, accountStatement, timeOfUuid } from '#libs/database';
import type { AnswerClass, ReplayChoice } from '#libs/entities';
import { replayedSql, statesToReplay } from './replay-choice.js';
import { type WebhookOwner, ownerValues, visibleToOwner } from './webhook-owner.js';

/** Webhooks that one preview looks at. By default an account has no more. */
const MAX_WEBHOOKS = 1_000;

/** Deliveries that are looked at, from the newest back: of one webhook, and of all together, shared out equally. */
const MAX_LOOKED_AT = 5_000;
const MAX_LOOKED_AT_TOGETHER = 100_000;

/** A webhook that is being replayed takes no second replay. Those come last, so that it is others that are left out. */
const PREVIEW = accountStatement(
  'replay_preview',
  `with chosen as materialized (
     select w.id, w.event, w.url, exists (select from replays r where r.webhook_id = w.id and r.finished_at is null) as running
     from webhooks w
     where w.account_id = $1 and ($2::uuid is null or w.id = $2) and ($10::text is null or w.event = $10) and (w.state <> 'disabled' or w.id = $2)
       and ${visibleToOwner(['$7', '$8', '$9'])}
     order by running, w.id desc limit ${MAX_WEBHOOKS + 1}
   ), share as materialized (
     select least(${MAX_LOOKED_AT}, ${MAX_LOOKED_AT_TOGETHER} / greatest(1, count(*))) as most,
       count(*) > ${MAX_WEBHOOKS} as "hasMore" from chosen
   )
   select c.id as "webhookId", c.event, c.url, c.running, "hasMore", found.*
   from (select * from chosen limit ${MAX_WEBHOOKS}) c cross join share cross join lateral (
     select (count(*) filter (where wanted))::int as deliveries, count(*) = share.most as capped,
       min(id::text) filter (where wanted) as oldest
     from (
       select d.id, ${replayedSql('d', { states: '$5', answer: '$6' })} as wanted from deliveries d
       where not c.running and d.account_id = $1 and d.webhook_id = c.id and d.id >= uuid_at($3) and d.id < uuid_at($4)
       order by d.id desc limit (select most from share)) near
   ) found where found.deliveries > 0 or found.capped or c.running or "hasMore" order by c.id desc`,
);

export interface PreviewedWebhook {
  readonly webhookId: string;
  readonly event: string;
  readonly url: string;
  readonly deliveries: number;
  /** There may be more, made earlier. */
  readonly capped: boolean;
  readonly oldestAt: Date | null;
}

/** What a replay would send. What is being replayed already is not among it. */
export interface ReplayPreview {
  /** Those that may have something to send. */
  readonly webhooks: readonly PreviewedWebhook[];
  readonly deliveries: number;
  /** There may be more, of these webhooks or of others. */
  readonly capped: boolean;
  readonly oldestAt: Date | null;
  /** Webhooks that are being replayed already. */
  readonly running: number;
}

interface PreviewRequest {
  readonly webhookId: string | null;
  readonly choice: ReplayChoice;
  readonly answer?: AnswerClass | undefined;
  readonly event?: string | undefined;
  readonly since: Date;
  readonly before: Date;
}

interface Row extends Omit<PreviewedWebhook, 'oldestAt'> {
  readonly oldest: string | null;
  readonly running: boolean;
  /** Than were looked at. */
  readonly hasMore: boolean;
}

export async function previewReplay(
  account: AccountConnection,
  owner: WebhookOwner,
  { webhookId, since, before, choice, answer, event }: PreviewRequest,
): Promise<ReplayPreview> {
  const values = [
    webhookId,
    since,
    before,
    statesToReplay(choice),
    answer ?? null,
    ...ownerValues(owner),
    event ?? null,
  ];
  const rows = await account.rows<Row>(PREVIEW, values);
  const hopeful = rows.filter(({ deliveries, capped }) => deliveries > 0 || capped);
  return {
    webhooks: hopeful.map(webhookOf),
    deliveries: hopeful.reduce((sum, row) => sum + row.deliveries, 0),
    capped: rows.some(({ capped, hasMore }) => capped || hasMore),
    oldestAt: timeOf(hopeful.flatMap(({ oldest }) => oldest ?? []).toSorted()[0]),
    running: rows.filter(({ running }) => running).length,
  };
}

const webhookOf = ({ webhookId, event, url, deliveries, capped, oldest }: Row): PreviewedWebhook => ({
  webhookId,
  event,
  url,
  deliveries,
  capped,
  oldestAt: timeOf(oldest),
});

const timeOf = (id: string | null | undefined): Date | null => (id ? timeOfUuid(id) : null);
