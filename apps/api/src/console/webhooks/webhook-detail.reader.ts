import { DELIVERY_STATES } from '#libs/entities';
import { Clock } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { DeliveriesService, type LiveSecret, ReplaysService, WebhooksService } from '#libs/webhooks';
import { Inject, Injectable } from '@nestjs/common';
import { FormFields } from '../../pages/form-fields.js';
import type { Me } from '../../sign-in/session.guard.js';
import { parsePeriod } from '../../pages/parts/filters.js';
import { webhookOwnerOf } from './webhook-owner.js';
import { pagerLinks } from '../../pages/parts/table.js';
import { webhookPath } from './webhook-paths.js';

const DELIVERIES_PER_PAGE = 25;
const REPLAYS_SHOWN = 3;

export interface DetailOptions {
  /** Filters the deliveries. */
  readonly query?: unknown;
  /** Only for the person who has just asked for them. Each time they are shown is recorded. */
  readonly secrets?: readonly LiveSecret[];
}

export type WebhookDetailView = Awaited<ReturnType<WebhookDetailReader['read']>>;

@Injectable()
export class WebhookDetailReader {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
    private readonly replays: ReplaysService,
    private readonly clock: Clock,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  async read(me: Me, id: string, { query, secrets }: DetailOptions = {}) {
    const owner = webhookOwnerOf(me);
    const webhook = await this.webhooks.read(owner, id);
    const form = new FormFields(query);
    const state = DELIVERY_STATES.find((known) => known === form.text('state')) ?? null;
    const { since, from } = parsePeriod(form.text('since'), this.clock.now());
    const cursor = form.text('cursor') || undefined;
    const request = { page: 1, perPage: DELIVERIES_PER_PAGE, cursor };
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
      replays: replays.items,
      secrets,
    };
  }
}
