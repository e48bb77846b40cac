import { DELIVERY_STATES } from '#libs/entities';
import { Clock } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { DeliveriesService, type LiveSecret, ReplaysService, WebhooksService } from '#libs/webhooks';
import { Inject, Injectable } from '@nestjs/common';
import type { FormFields } from '../../pages/form-fields.js';
import type { Me } from '../../sign-in/session.guard.js';
import type { FormErrors } from '../form-submission.js';
import { parsePeriod } from '../../pages/parts/periods.js';
import { webhookOwnerOf } from './webhook-owner.js';
import { replayProgress } from './replays.js';
import type { WebhookDetailView } from './webhook-detail.page.js';
import { pagerLinks } from '../../pages/parts/table.js';
import { webhookPath } from './webhook-paths.js';

const DELIVERIES_PER_PAGE = 25;
const REPLAYS_SHOWN = 3;

export interface WebhookDetailExtras extends FormErrors {
  /** Only for the person who has just asked for them. */
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

  async read(me: Me, id: string, filter: DeliveryFilter, extras: WebhookDetailExtras): Promise<WebhookDetailView> {
    const owner = webhookOwnerOf(me);
    const webhook = await this.webhooks.read(owner, id);
    const { state, since, from, cursor } = filter;
    const request = { page: 1, perPage: DELIVERIES_PER_PAGE, cursor: cursor ?? undefined };
    const [{ items, next }, replays] = await Promise.all([
      this.deliveries.list(owner, id, { ...request, states: state ? [state] : undefined, since: from }),
      this.replays.list(owner, id, { page: 1, perPage: REPLAYS_SHOWN, cursor: undefined }),
    ]);
    return {
      webhook,
      state,
      since,
      deliveries: items,
      ...pagerLinks(webhookPath(id), { state, since }, { cursor, next }),
      attemptsAllowed: this.settings.WEBHOOK_RETRY_SCHEDULE.length + 1,
      replays: replays.items.map(replayProgress),
      secrets: extras.secrets ?? null,
      faults: extras.faults,
      formError: extras.formError,
      url: extras.url ?? webhook.url,
    };
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
