import { type AccountTx, Database, accountStatement, uuidAt } from '#libs/database';
import { Attempt, Delivery, type DeliveryState, type DisabledReason, OwedDelivery, Webhook } from '#libs/entities';
import type { EventKind } from '#libs/payloads';
import { type WebhookOwner, WebhooksService } from '#libs/webhooks';
import type { INestApplicationContext } from '@nestjs/common';
import type { SeededRandom } from './seeded-random.js';

interface DemoWebhook {
  readonly event: EventKind;
  readonly url: string;
  /** How its deliveries went, as often as they stand here. */
  readonly results: readonly DeliveryResult[];
  readonly owner?: 'application';
  readonly pause?: true;
  readonly disabled?: Exclude<DisabledReason, 'access_revoked'>;
}

interface DeliveryResult {
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly status: number | null;
  readonly error: string | null;
}

const deliveredAtOnce: DeliveryResult = { state: 'delivered', attempts: 1, status: 204, error: null };
const deliveredLate: DeliveryResult = { state: 'delivered', attempts: 3, status: 200, error: null };
const failed: DeliveryResult = { state: 'exhausted', attempts: 10, status: 500, error: null };
const unreachable: DeliveryResult = { state: 'exhausted', attempts: 10, status: null, error: 'dns' };
const cancelled: DeliveryResult = { state: 'cancelled', attempts: 2, status: null, error: 'timeout' };
const retried: DeliveryResult = { state: 'pending', attempts: 3, status: 503, error: null };
const neverAttempted: DeliveryResult = { state: 'pending', attempts: 0, status: null, error: null };

const DEMO_WEBHOOKS: readonly DemoWebhook[] = [
  {
    event: 'ticket_started',
    url: 'https://hooks.shop.example/deskwire',
    results: [deliveredAtOnce, deliveredAtOnce, deliveredAtOnce, deliveredLate],
  },
  {
    event: 'agent_replied',
    url: 'https://crm.example/in/deskwire',
    results: [deliveredAtOnce, deliveredAtOnce, failed, deliveredLate],
    owner: 'application',
  },
  {
    event: 'ticket_tagged',
    url: 'https://crm.example/in/deskwire',
    results: [deliveredAtOnce, deliveredLate, retried],
    owner: 'application',
  },
  {
    event: 'customer_replied',
    url: 'https://old-crm.example/hook',
    results: [unreachable, neverAttempted, cancelled, neverAttempted],
    pause: true,
  },
  {
    event: 'ticket_closed',
    url: 'https://reports.example/closed',
    results: [failed, unreachable, cancelled],
    disabled: 'failing',
  },
  {
    event: 'note_added',
    url: 'https://chat.example/hooks/7',
    results: [deliveredAtOnce, cancelled],
    disabled: 'operator',
  },
];

const RECENT = accountStatement(
  'demo_recent_events',
  `select id, created_at as "createdAt" from events
   where account_id = $1 and kind = $2 and created_at > $3 order by created_at desc limit 40`,
);

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Webhooks with a past. Their deliveries are written as the worker would have written them: nobody listens at these
 * addresses, so there is no other way to have a past with them.
 */
export async function addDemoWebhooks(
  app: INestApplicationContext,
  by: WebhookOwners,
  random: SeededRandom,
  end: Date,
): Promise<void> {
  const webhooks = app.get(WebhooksService);
  for (const { event, url, results, pause, disabled, owner: maker = 'console' } of DEMO_WEBHOOKS) {
    const { webhook } = await webhooks.create(by[maker], { event, url });
    if (pause) await webhooks.change(by[maker], webhook.id, { state: 'paused' });
    await app
      .get(Database)
      .account(by.console.accountId)
      .transaction(async (tx) => {
        const events = await tx.rows<PastEvent>(RECENT, [event, new Date(end.getTime() - 5 * DAY_MS)]);
        for (const pastEvent of events)
          await insertPastDelivery(tx, { webhookId: webhook.id, event, pastEvent, result: random.pick(results), end });
        if (disabled) await disableWebhook(tx, webhook.id, disabled, end);
      });
  }
}

interface WebhookOwners {
  readonly console: WebhookOwner;
  readonly application: WebhookOwner;
}

async function disableWebhook(tx: AccountTx, id: string, disabledReason: DisabledReason, end: Date): Promise<void> {
  const failingSince = new Date(end.getTime() - 5 * DAY_MS);
  await tx.repository(Webhook).update({ id }, { state: 'disabled', disabledReason, failingSince, updatedAt: end });
}

interface PastEvent {
  readonly id: string;
  readonly createdAt: Date;
}

interface PastDelivery {
  readonly webhookId: string;
  readonly event: EventKind;
  readonly pastEvent: PastEvent;
  readonly result: DeliveryResult;
  readonly end: Date;
}

async function insertPastDelivery(tx: AccountTx, past: PastDelivery): Promise<void> {
  const { webhookId, event, pastEvent, result, end } = past;
  const { state, attempts, status, error } = result;
  const [id, at] = [uuidAt(pastEvent.createdAt), pastEvent.createdAt];
  const pending = state === 'pending';
  const nextAttemptAt = pending ? new Date(end.getTime() + 9 * HOUR_MS) : null;
  const common = { webhookId, eventId: pastEvent.id, attempts };
  const ended = { lastStatus: status, lastError: error, nextAttemptAt, finishedAt: pending ? null : at };
  await tx.repository(Delivery).insert({ ...common, ...ended, id, kind: event, state, createdAt: at });
  if (nextAttemptAt)
    await tx.repository(OwedDelivery).insert({ ...common, deliveryId: id, queued: false, feedAt: nextAttemptAt });
  for (let number = 1; number <= attempts; number++)
    await tx.repository(Attempt).insert({ ...pastAttempt(past, number), id: uuidAt(at), deliveryId: id });
}

/** The last as the delivery ended; those before it as such receivers do. */
function pastAttempt({ webhookId, event, pastEvent, result, end }: PastDelivery, number: number): Partial<Attempt> {
  const last = number === result.attempts;
  const begin = pastEvent.createdAt.getTime();
  return {
    webhookId,
    number,
    startedAt: new Date(
      begin + (Math.min(end.getTime(), begin + 3 * DAY_MS) - begin) * ((number - 1) / result.attempts) ** 3,
    ),
    durationMs: 80 + number * 37,
    status: last ? result.status : 503,
    error: last ? result.error : null,
    errorDetail: null,
    responseBody: last && (result.error ?? result.status === 204) ? null : 'upstream unavailable',
    requestHeaders: { 'content-type': 'application/json; charset=utf-8', 'webhook-event': event },
    nextReason: last && result.state !== 'pending' ? null : 'schedule',
    nextAttemptAt: null,
  };
}
