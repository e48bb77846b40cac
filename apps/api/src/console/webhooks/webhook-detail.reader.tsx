import { DELIVERY_STATES } from '#libs/entities';
import { Clock } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { DeliveriesService, type LiveSecret, ReplaysService, WebhooksService } from '#libs/webhooks';
import { Inject, Injectable } from '@nestjs/common';
import type { Form } from '../../pages/form.js';
import type { Me } from '../../sign-in/session.guard.js';
import type { Refused } from '../forms.js';
import type { View } from '../../pages/page.js';
import { periodOf } from '../../pages/parts/periods.js';
import { DeliveryPage } from './delivery.page.js';
import { ownerOf } from './owner.js';
import { runOf } from './replays.js';
import { WebhookPage } from './webhook.page.js';
import { webhookPath } from './webhooks.page.js';

const ROWS = 25;
const REPLAYS_SHOWN = 3;

export interface WebhookExtras extends Refused {
  /** Shown only to whoever asked for them just now. */
  readonly secrets?: readonly LiveSecret[];
  /** An address that could not be saved. */
  readonly url?: string;
}

@Injectable()
export class WebhookPages {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
    private readonly replays: ReplaysService,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  async show(me: Me, id: string, query: WebhookFilter, extras: WebhookExtras): Promise<View> {
    const owner = ownerOf(me);
    const webhook = await this.webhooks.read(owner, id);
    const { state, since, from, cursor } = query;
    const request = { page: 1, perPage: ROWS, cursor: cursor ?? undefined };
    const [page, replays] = await Promise.all([
      this.deliveries.list(owner, id, { ...request, states: state ? [state] : undefined, since: from }),
      this.replays.list(owner, id, { page: 1, perPage: REPLAYS_SHOWN, cursor: undefined }),
    ]);
    const path = (place: string | null): string =>
      `${webhookPath(id)}?${new URLSearchParams({ ...(state && { state }), ...(since && { since }), ...(place && { cursor: place }) })}`;
    const view = {
      webhook,
      state,
      since,
      deliveries: page.items,
      next: page.next && path(page.next),
      first: cursor ? path(null) : null,
      attemptsAllowed: this.settings.WEBHOOK_RETRY_SCHEDULE.length + 1,
      replays: replays.items.map(runOf),
      secrets: extras.secrets ?? null,
      faults: extras.faults,
      refused: extras.refused,
      url: extras.url ?? webhook.url,
    };
    return { view: <WebhookPage view={view} /> };
  }

  async delivery(me: Me, id: string): Promise<View> {
    const owner = ownerOf(me);
    const { delivery, attempts, event } = await this.deliveries.read(owner, id);
    const webhook = await this.webhooks.read(owner, delivery.webhookId);
    return { view: <DeliveryPage view={{ delivery, attempts, webhook, body: event?.payload ?? '' }} /> };
  }
}

export interface WebhookFilter {
  readonly state: (typeof DELIVERY_STATES)[number] | null;
  readonly since: string | null;
  readonly from: Date | undefined;
  readonly cursor: string | null;
}

export function webhookFilter(form: Form, clock: Clock): WebhookFilter {
  return {
    state: DELIVERY_STATES.find((known) => known === form.text('state')) ?? null,
    ...periodOf(form.text('since'), clock.now()),
    cursor: form.text('cursor') || null,
  };
}

export const UNFILTERED: WebhookFilter = { state: null, since: null, from: undefined, cursor: null };
