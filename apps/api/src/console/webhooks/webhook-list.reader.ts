import { Clock, Database, accountStatement } from '#libs/database';
import { WEBHOOK_STATES, type Webhook } from '#libs/entities';
import { EVENT_KINDS, isEventKind } from '#libs/payloads';
import { WebhookSecretsService, WebhooksService } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import type { CreatedWebhook } from './webhook-created.page.js';
import { webhookOwnerOf } from './webhook-owner.js';
import { pagerLinks } from '../../pages/parts/table.js';
import { FormFields } from '../../pages/form-fields.js';
import { Me } from '../../sign-in/session.guard.js';

const WEBHOOKS_PER_PAGE = 50;
const DISABLED_SHOWN = 3;
/** A form adds at most one webhook for each kind of event. */
const MAX_CREATED = Object.keys(EVENT_KINDS).length;
const FIRST_PAGE = { page: 1, perPage: WEBHOOKS_PER_PAGE, cursor: undefined } as const;

const DAY_MS = 86_400_000;
/** Deliveries of a busy webhook are counted only up to here. What matters is whether any failed. */
const MAX_COUNTED = 1000;

const STATS = accountStatement(
  'console_webhook_stats',
  `select w.id, count(*) filter (where d.state = 'delivered')::int as delivered,
     count(*) filter (where d.state = 'exhausted' or (d.state = 'pending' and d.attempts > 0))::int as failed,
     max(d.created_at) as "lastAt"
   from unnest($2::uuid[]) w (id) left join lateral (
     select state, attempts, created_at from deliveries
     where account_id = $1 and webhook_id = w.id and id >= uuid_at($3) order by id desc limit ${MAX_COUNTED}
   ) d on true
   group by w.id`,
);

interface Stats {
  readonly delivered: number;
  readonly failed: number;
  readonly lastAt: Date | null;
}

export interface WebhookRow extends Stats {
  readonly webhook: Webhook;
}

export type WebhookListView = Awaited<ReturnType<WebhookListReader['list']>>;

@Injectable()
export class WebhookListReader {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly secrets: WebhookSecretsService,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async list(me: Me, form: FormFields) {
    const owner = webhookOwnerOf(me);
    const [wanted, cursor] = [form.text('event'), form.text('cursor') || undefined];
    const event = isEventKind(wanted) ? wanted : null;
    const state = WEBHOOK_STATES.find((known) => known === form.text('state')) ?? null;
    const query = { ...FIRST_PAGE, cursor, event: event ?? undefined, state: state ?? undefined };
    const [{ items, next }, disabled] = await Promise.all([
      this.webhooks.list(owner, query),
      this.webhooks.list(owner, { ...FIRST_PAGE, perPage: DISABLED_SHOWN, state: 'disabled' }),
    ]);
    const rows = await this.withStats(me.accountId, items);
    const links = pagerLinks('/settings/webhooks', { event, state }, { cursor, next });
    return { rows, disabled: disabled.items, event, state, ...links };
  }

  async created(me: Me, ids: readonly string[]): Promise<CreatedWebhook[]> {
    const owner = webhookOwnerOf(me);
    const webhooks = [];
    for (const id of ids.slice(0, MAX_CREATED)) {
      const [newest] = await this.secrets.read(owner, id);
      webhooks.push({ webhook: await this.webhooks.read(owner, id), secret: newest?.secret ?? '' });
    }
    return webhooks;
  }

  /** Counts the deliveries of the last 24 hours, in one round trip. */
  private async withStats(accountId: string, webhooks: readonly Webhook[]): Promise<WebhookRow[]> {
    const since = new Date(this.clock.now().getTime() - DAY_MS);
    const ids = webhooks.map(({ id }) => id);
    const rows = await this.database.account(accountId).rows<Stats & { id: string }>(STATS, [ids, since]);
    const found = new Map(rows.map(({ id, ...stats }) => [id, stats]));
    return webhooks.map((webhook) => ({ webhook, ...(found.get(webhook.id) ?? NONE) }));
  }
}

const NONE: Stats = { delivered: 0, failed: 0, lastAt: null };
