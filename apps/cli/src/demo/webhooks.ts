import { type AccountTx, Database, accountStatement, uuidAt } from '#libs/database';
import { Attempt, Delivery, type DeliveryState } from '#libs/entities';
import type { EventKind } from '#libs/payloads';
import { WebhooksService } from '#libs/webhooks';
import type { INestApplicationContext } from '@nestjs/common';
import type { Actor } from './people.js';
import type { Random } from './random.js';

interface Receiver {
  readonly event: EventKind;
  readonly url: string;
  /** How its deliveries went, as often as they stand here. */
  readonly fates: readonly Fate[];
  readonly pause?: true;
}

interface Fate {
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly status: number | null;
  readonly error: string | null;
}

const received: Fate = { state: 'delivered', attempts: 1, status: 204, error: null };
const late: Fate = { state: 'delivered', attempts: 3, status: 200, error: null };
const failed: Fate = { state: 'exhausted', attempts: 10, status: 500, error: null };
const unheard: Fate = { state: 'exhausted', attempts: 10, status: null, error: 'dns' };
const cancelled: Fate = { state: 'cancelled', attempts: 2, status: null, error: 'timeout' };

const RECEIVERS: readonly Receiver[] = [
  { event: 'ticket_started', url: 'https://hooks.shop.example/deskwire', fates: [received, received, received, late] },
  { event: 'agent_replied', url: 'https://crm.example/in/deskwire', fates: [received, received, failed, late] },
  { event: 'customer_replied', url: 'https://old-crm.example/hook', fates: [unheard, unheard, cancelled], pause: true },
];

const RECENT = accountStatement(
  'demo_recent_events',
  `select id, created_at as "createdAt" from events
   where account_id = $1 and kind = $2 and created_at > $3 order by created_at desc limit 40`,
);

const DAY_MS = 86_400_000;

/**
 * Webhooks with a past. Their deliveries are written as the worker would have written them: nobody listens at these
 * addresses, so there is no other way to have a past with them.
 */
export async function addWebhooks(
  app: INestApplicationContext,
  owner: Actor,
  random: Random,
  end: Date,
): Promise<void> {
  const webhooks = app.get(WebhooksService);
  const as = { ...owner, grantId: null, scopes: ['webhooks', 'admin'] };
  for (const { event, url, fates, pause } of RECEIVERS) {
    const { webhook } = await webhooks.create(as, { event, url });
    if (pause) await webhooks.change(as, webhook.id, { state: 'paused' });
    await app
      .get(Database)
      .account(owner.accountId)
      .transaction(async (tx) => {
        const events = await tx.rows<HappenedEvent>(RECENT, [event, new Date(end.getTime() - 5 * DAY_MS)]);
        for (const happened of events)
          await deliver(tx, { webhookId: webhook.id, event, happened, fate: random.pick(fates) });
      });
  }
}

interface HappenedEvent {
  readonly id: string;
  readonly createdAt: Date;
}

interface Past {
  readonly webhookId: string;
  readonly event: EventKind;
  readonly happened: HappenedEvent;
  readonly fate: Fate;
}

async function deliver(tx: AccountTx, { webhookId, event, happened, fate }: Past): Promise<void> {
  const at = happened.createdAt;
  const { state, attempts, status, error } = fate;
  const id = uuidAt(at);
  const common = { webhookId, lastStatus: status, lastError: error, nextAttemptAt: null };
  await tx
    .table(Delivery)
    .insert({ ...common, id, eventId: happened.id, kind: event, state, attempts, finishedAt: at, createdAt: at });
  for (let number = 1; number <= Math.min(attempts, 3); number++) {
    const last = number === attempts;
    await tx.table(Attempt).insert({
      id: uuidAt(at),
      webhookId,
      deliveryId: id,
      number,
      startedAt: at,
      durationMs: 80 + number * 37,
      status: last ? status : 503,
      error: last ? error : null,
      errorDetail: null,
      responseBody: last && status === 204 ? null : 'upstream unavailable',
      requestHeaders: { 'content-type': 'application/json; charset=utf-8', 'webhook-event': event },
      nextReason: last ? null : 'schedule',
      nextAttemptAt: null,
    });
  }
}
