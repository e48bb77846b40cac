import { type AccountConnection, accountStatement, timeOfUuid } from '#libs/database';
import { replayedSql, statesToReplay } from '#libs/delivery';
import type { ResponseClass, ReplayChoice } from '#libs/entities';
import type { EventKind, ReplayForecast } from '#libs/payloads';
import { type WebhookOwner, ownerValues, visibleToOwner } from './webhook-owner.js';

export interface NewReplays {
  readonly choice: ReplayChoice;
  readonly lastResponse?: ResponseClass | undefined;
  readonly event?: EventKind | undefined;
  /** Defaults to all that are kept. */
  readonly since?: Date | undefined;
  /** Defaults to now. */
  readonly before?: Date | undefined;
}

const MAX_WEBHOOKS = 1_000;

/** Newest first: of one webhook, and of all in equal shares. */
const MAX_SCANNED = 5_000;
const MAX_SCANNED_TOTAL = 100_000;

/** Webhooks whose replay is running take no second one, so they are left out first. */
const PREVIEW = accountStatement(
  'replay_preview',
  `with chosen as materialized (
     select w.id, w.event, w.url, exists (select from replays r where r.webhook_id = w.id and r.finished_at is null) as running
     from webhooks w
     where w.account_id = $1 and ($2::uuid is null or w.id = $2) and ($10::text is null or w.event = $10) and (w.state <> 'disabled' or w.id = $2)
       and ${visibleToOwner(['$7', '$8', '$9'])}
     order by running, w.id desc limit ${MAX_WEBHOOKS + 1}
   ), share as materialized (
     select least(${MAX_SCANNED}, ${MAX_SCANNED_TOTAL} / greatest(1, count(*))) as most,
       count(*) > ${MAX_WEBHOOKS} as "hasMore" from chosen
   )
   select c.id as "webhookId", c.event, c.url, c.running, "hasMore", found.*
   from (select * from chosen limit ${MAX_WEBHOOKS}) c cross join share cross join lateral (
     select (count(*) filter (where wanted))::int as deliveries, count(*) = share.most as capped,
       min(id::text) filter (where wanted) as oldest
     from (
       select d.id, ${replayedSql('d', { states: '$5', lastResponse: '$6' })} as wanted from deliveries d
       where not c.running and d.account_id = $1 and d.webhook_id = c.id and d.id >= uuid_at($3) and d.id < uuid_at($4)
       order by d.id desc limit (select most from share)) near
   ) found where found.deliveries > 0 or found.capped or c.running or "hasMore" order by c.id desc`,
);

interface PreviewedWebhook {
  readonly webhookId: string;
  readonly event: string;
  readonly url: string;
  readonly deliveries: number;
  readonly capped: boolean;
  readonly oldestAt: Date | null;
}

/** Excludes webhooks whose replay is running. */
export interface ReplayPreview extends ReplayForecast {
  readonly webhooks: readonly PreviewedWebhook[];
}

interface PreviewRow extends Omit<PreviewedWebhook, 'oldestAt'> {
  readonly oldest: string | null;
  readonly running: boolean;
  readonly hasMore: boolean;
}

export async function previewReplay(
  account: AccountConnection,
  owner: WebhookOwner,
  { webhookId, since, before, choice, lastResponse, event }: NewReplays & { readonly webhookId: string | null },
): Promise<ReplayPreview> {
  const of = [webhookId, since, before, statesToReplay(choice), lastResponse ?? null];
  const rows = await account.rows<PreviewRow>(PREVIEW, [...of, ...ownerValues(owner), event ?? null]);
  const hopeful = rows.filter(({ deliveries, capped }) => deliveries > 0 || capped);
  return {
    webhooks: hopeful.map(({ running: _running, hasMore: _hasMore, oldest, ...webhook }) => ({
      ...webhook,
      oldestAt: timeOf(oldest),
    })),
    deliveries: hopeful.reduce((sum, row) => sum + row.deliveries, 0),
    capped: rows.some(({ capped, hasMore }) => capped || hasMore),
    oldestAt: timeOf(hopeful.flatMap(({ oldest }) => oldest ?? []).toSorted()[0]),
    running: rows.filter(({ running }) => running).length,
  };
}

const timeOf = (id: string | null | undefined): Date | null => (id ? timeOfUuid(id) : null);
