import { DELIVERY_STATES } from '#libs/entities';
import { Clock } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { DeliveriesService, type LiveSecret, ReplaysService, WebhooksService } from '#libs/webhooks';
import { Inject, Injectable } from '@nestjs/common';
import type { FormFields } from '../../pages/form-fields.js';
import type { Me } from '../../sign-in/session.guard.js';
import type { FormErrors } from '../form-submission.js';
import type { PageContent } from '../../pages/page-response.js';
import { parsePeriod } from '../../pages/parts/periods.js';
import { DeliveryPage } from './delivery.page.js';
import { webhookOwnerOf } from './webhook-owner.js';
import { replayProgress } from './replays.js';
import { WebhookDetailPage } from './webhook-detail.page.js';
import { webhookPath } from './webhook-list.page.js';

const DELIVERIES_PER_PAGE = 25;
const REPLAYS_SHOWN = 3;

export interface WebhookDetailExtras extends FormErrors {
  /** Shown only to whoever asked for them just now. */
  readonly secrets?: readonly LiveSecret[];
  /** An address that could not be saved. */
  readonly url?: string;
}

@Injectable()
export class WebhookDetailReader {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
    private readonly replays: ReplaysService,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  async show(me: Me, id: string, query: DeliveryFilter, extras: WebhookDetailExtras): Promise<PageContent> {
    const owner = webhookOwnerOf(me);
    const webhook = await this.webhooks.read(owner, id);
    const { state, since, from, cursor } = query;
    const request = { page: 1, perPage: DELIVERIES_PER_PAGE, cursor: cursor ?? undefined };
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
      replays: replays.items.map(replayProgress),
      secrets: extras.secrets ?? null,
      faults: extras.faults,
      formError: extras.formError,
      url: extras.url ?? webhook.url,
    };
    return { view: <WebhookDetailPage view={view} /> };
  }

  async delivery(me: Me, id: string): Promise<PageContent> {
    const owner = webhookOwnerOf(me);
    const { delivery, attempts, event } = await this.deliveries.read(owner, id);
    const webhook = await this.webhooks.read(owner, delivery.webhookId);
    return { view: <DeliveryPage view={{ delivery, attempts, webhook, body: event?.payload ?? '' }} /> };
  }
}

export interface DeliveryFilter {
  readonly state: (typeof DELIVERY_STATES)[number] | null;
  readonly since: string | null;
  readonly from: Date | undefined;
  readonly cursor: string | null;
}

export function parseDeliveryFilter(form: FormFields, clock: Clock): DeliveryFilter {
  return {
    state: DELIVERY_STATES.find((known) => known === form.text('state')) ?? null,
    ...parsePeriod(form.text('since'), clock.now()),
    cursor: form.text('cursor') || null,
  };
}

export const UNFILTERED: DeliveryFilter = { state: null, since: null, from: undefined, cursor: null };
