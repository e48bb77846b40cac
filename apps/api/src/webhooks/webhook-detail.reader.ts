import { Database } from '#libs/database';
import { DELIVERY_STANDINGS } from '#libs/entities';
import { Links, type LiveSecret } from '#libs/payloads';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { DeliveriesService, TrafficService, WebhooksService } from '#libs/webhooks';
import { Inject, Injectable } from '@nestjs/common';
import { FormFields } from '../layers/ui/form-fields.js';
import { Me } from '../layers/sign-in/me.decorator.js';
import { parsePeriod } from '../layers/ui/parts/filters.js';
import { webhookOwnerOf } from './webhook-owner.js';
import { pagerLinks } from '../layers/ui/parts/table.js';
import { webhookPath } from './webhook-paths.js';
import { findSubjects } from './webhooks.statements.js';

const DELIVERIES = { page: 1, perPage: 25, uncounted: true } as const;
const REPLAYS = { page: 1, perPage: 3, cursor: undefined, uncounted: true } as const;
const HOURS_SHOWN = 7 * 24;

export interface DetailOptions {
  readonly now: Date;
  readonly query?: unknown;
  /** Set only after the person revealed them, because each read is recorded. */
  readonly secrets?: readonly LiveSecret[];
}

export type WebhookDetailView = Awaited<ReturnType<WebhookDetailReader['read']>>;

@Injectable()
export class WebhookDetailReader {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
    private readonly traffic: TrafficService,
    private readonly database: Database,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  async read(me: Me, id: string, { now, query, secrets }: DetailOptions) {
    const owner = webhookOwnerOf(me);
    const webhook = await this.webhooks.read(owner, id);
    const form = new FormFields(query);
    const standing = DELIVERY_STANDINGS.find((known) => known === form.text('standing')) ?? null;
    const { since, from } = parsePeriod(form.text('since'), now);
    const cursor = form.text('cursor') || undefined;
    const standings = standing ? [standing] : undefined;
    const [{ items, next }, replays, traffic] = await Promise.all([
      this.deliveries.list(owner, id, { ...DELIVERIES, cursor, standings, since: from }),
      this.deliveries.listReplays(owner, webhook.id, REPLAYS),
      this.traffic.ofWebhooks(me.accountId, [webhook.id], HOURS_SHOWN),
    ]);
    const eventIds = items.map(({ eventId }) => eventId);
    return {
      webhook,
      standing,
      since,
      deliveries: items,
      subjects: await findSubjects(this.database.account(me.accountId), eventIds),
      ...pagerLinks(webhookPath(id), { standing, since }, { cursor, next }),
      attemptsAllowed: this.settings.WEBHOOK_RETRY_SCHEDULE.length + 1,
      replays: replays.items,
      traffic: traffic.get(webhook.id),
      keysUrl: new Links(this.settings.PUBLIC_URL).webhookKeys(webhook.id),
      secrets,
    };
  }
}
