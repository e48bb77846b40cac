import { type AccountConnection, accountStatement, timeOfUuid } from '#libs/database';
import type { AnswerClass, ReplayChoice } from '#libs/entities';
import { replayedSql, statesToReplay } from './replay-choice.js';
import { type WebhookOwner, ownerValues, visibleToOwner } from './webhook-owner.js';

/** Webhooks that one preview looks at, and deliveries of each, from the newest back: it never costs what the history holds. */
const MOST_WEBHOOKS = 100;
const MOST_LOOKED_AT = 5_000;

const PREVIEW = accountStatement(
  'replay_preview',
  `with chosen as materialized (
     select w.id, w.event, w.url from webhooks w
     where w.account_id = $1 and ($2::uuid is null or w.id = $2) and ($10::text is null or w.event = $10) and (w.state <> 'disabled' or w.id = $2)
       and not exists (select from replays r where r.webhook_id = w.id and r.finished_at is null)
       and ${visibleToOwner(['$7', '$8', '$9'])}
     order by w.id desc limit ${MOST_WEBHOOKS}
   )
   select c.id as "webhookId", c.event, c.url, found.* from chosen c cross join lateral (
     select (count(*) filter (where wanted))::int as deliveries, count(*) = ${MOST_LOOKED_AT} as capped,
       min(id::text) filter (where wanted) as oldest
     from (
       select d.id, ${replayedSql('d', { states: '$5', answer: '$6' })} as wanted from deliveries d
       where d.account_id = $1 and d.webhook_id = c.id and d.id >= uuid_at($3) and d.id < uuid_at($4)
       order by d.id desc limit ${MOST_LOOKED_AT}) near
   ) found where found.deliveries > 0 order by c.id desc`,
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
  readonly webhooks: readonly PreviewedWebhook[];
  readonly deliveries: number;
  readonly capped: boolean;
  readonly oldestAt: Date | null;
}

interface PreviewRequest {
  readonly webhookId: string | null;
  readonly choice: ReplayChoice;
  readonly answer?: AnswerClass | undefined;
  readonly event?: string | undefined;
  readonly since: Date;
  readonly before: Date;
}

type Row = Omit<PreviewedWebhook, 'oldestAt'> & { readonly oldest: string | null };

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
  const oldest = rows.flatMap((row) => row.oldest ?? []).toSorted()[0];
  return {
    webhooks: rows.map(({ oldest: id, ...row }) => ({ ...row, oldestAt: id === null ? null : timeOfUuid(id) })),
    deliveries: rows.reduce((sum, row) => sum + row.deliveries, 0),
    capped: rows.some(({ capped }) => capped),
    oldestAt: oldest === undefined ? null : timeOfUuid(oldest),
  };
}
