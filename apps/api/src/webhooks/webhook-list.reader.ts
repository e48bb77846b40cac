import { WEBHOOK_STATES, type Webhook } from '#libs/entities';
import { EVENT_KINDS, isEventKind } from '#libs/payloads';
import { TrafficService, type WebhookTraffic, WebhooksService } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { webhookOwnerOf } from './webhook-owner.js';
import { pagerLinks } from '../ui/parts/table.js';
import { FormFields } from '../ui/form-fields.js';
import { Me } from '../sign-in/session.guard.js';

const WEBHOOKS_PER_PAGE = 50;
const DISABLED_SHOWN = 3;
/** A form adds at most one webhook for each kind of event. */
const MAX_CREATED = Object.keys(EVENT_KINDS).length;
const FIRST_PAGE = { page: 1, perPage: WEBHOOKS_PER_PAGE, cursor: undefined } as const;

const HOURS_SHOWN = 24;

export interface WebhookRow {
  readonly webhook: Webhook;
  readonly traffic: WebhookTraffic | undefined;
}

export type WebhookListView = Awaited<ReturnType<WebhookListReader['list']>>;

@Injectable()
export class WebhookListReader {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly traffic: TrafficService,
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
    const ids = items.map(({ id }) => id);
    const traffic = await this.traffic.ofWebhooks(me.accountId, ids, HOURS_SHOWN);
    const rows: WebhookRow[] = items.map((webhook) => ({ webhook, traffic: traffic.get(webhook.id) }));
    const links = pagerLinks('/settings/webhooks', { event, state }, { cursor, next });
    return { rows, disabled: disabled.items, event, state, ...links };
  }

  async created(me: Me, ids: readonly string[]): Promise<Webhook[]> {
    const owner = webhookOwnerOf(me);
    const webhooks = [];
    for (const id of ids.slice(0, MAX_CREATED)) webhooks.push(await this.webhooks.read(owner, id));
    return webhooks;
  }
}
