import { type AccountTx, Database, accountStatement, uuidAt } from '#libs/database';
import { Attempt, Delivery, type DeliveryState, type DisabledReason, OwedDelivery, Webhook } from '#libs/entities';
import type { EventKind } from '#libs/payloads';
import { type WebhookOwner, WebhooksService } from '#libs/webhooks';
import type { INestApplicationContext } from '@nestjs/common';
import type { Random } from './random.js';

interface Receiver {
  readonly event: EventKind;
  readonly url: string;
  /** How its deliveries went, as often as they stand here. */
  readonly fates: readonly Fate[];
  readonly by?: 'application';
  readonly pause?: true;
  readonly disabled?: Exclude<DisabledReason, 'access_revoked'>;
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
const retried: Fate = { state: 'pending', attempts: 3, status: 503, error: null };
const held: Fate = { state: 'pending', attempts: 0, status: null, error: null };

const RECEIVERS: readonly Receiver[] = [
  { event: 'ticket_started', url: 'https://hooks.shop.example/deskwire', fates: [received, received, received, late] },
  {
    event: 'agent_replied',
    url: 'https://crm.example/in/deskwire',
    fates: [received, received, failed, late],
    by: 'application',
  },
  {
    event: 'ticket_tagged',
    url: 'https://crm.example/in/deskwire',
    fates: [received, late, retried],
    by: 'application',
  },
  {
    event: 'customer_replied',
    url: 'https://old-crm.example/hook',
    fates: [unheard, held, cancelled, held],
    pause: true,
  },
  {
    event: 'ticket_closed',
    url: 'https://reports.example/closed',
    fates: [failed, unheard, cancelled],
    disabled: 'failing',
  },
  { event: 'note_added', url: 'https://chat.example/hooks/7', fates: [received, cancelled], disabled: 'operator' },
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
// oxlint-disable-next-line max-params
export async function addWebhooks(app: INestApplicationContext, by: Makers, random: Random, end: Date): Promise<void> {
  const webhooks = app.get(WebhooksService);
  for (const { event, url, fates, pause, disabled, by: maker = 'console' } of RECEIVERS) {
    const { webhook } = await webhooks.create(by[maker], { event, url });
    if (pause) await webhooks.change(by[maker], webhook.id, { state: 'paused' });
    await app
      .get(Database)
      .account(by.console.accountId)
      .transaction(async (tx) => {
        const events = await tx.rows<HappenedEvent>(RECENT, [event, new Date(end.getTime() - 5 * DAY_MS)]);
        for (const happened of events)
          await deliver(tx, { webhookId: webhook.id, event, happened, fate: random.pick(fates), end });
        if (disabled) await disable(tx, webhook.id, disabled, end);
      });
  }
}

interface Makers {
  readonly console: WebhookOwner;
  readonly application: WebhookOwner;
}

async function disable(tx: AccountTx, id: string, disabledReason: DisabledReason, end: Date): Promise<void> {
  const failingSince = new Date(end.getTime() - 5 * DAY_MS);
  await tx.table(Webhook).update({ id }, { state: 'disabled', disabledReason, failingSince, updatedAt: end });
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
  readonly end: Date;
}

async function deliver(tx: AccountTx, past: Past): Promise<void> {
  const { webhookId, event, happened, fate, end } = past;
  const { state, attempts, status, error } = fate;
  const [id, at] = [uuidAt(happened.createdAt), happened.createdAt];
  const pending = state === 'pending';
  const nextAttemptAt = pending ? new Date(end.getTime() + 9 * HOUR_MS) : null;
  const common = { webhookId, eventId: happened.id, attempts };
  const ended = { lastStatus: status, lastError: error, nextAttemptAt, finishedAt: pending ? null : at };
  await tx.table(Delivery).insert({ ...common, ...ended, id, kind: event, state, createdAt: at });
  if (nextAttemptAt)
    await tx.table(OwedDelivery).insert({ ...common, deliveryId: id, queued: false, feedAt: nextAttemptAt });
  for (let number = 1; number <= attempts; number++)
    await tx.table(Attempt).insert({ ...attempted(past, number), id: uuidAt(at), deliveryId: id });
}

/** The last as the delivery ended; those before it as such receivers do. */
function attempted({ webhookId, event, happened, fate, end }: Past, number: number): Partial<Attempt> {
  const last = number === fate.attempts;
  const begin = happened.createdAt.getTime();
  return {
    webhookId,
    number,
    startedAt: new Date(
      begin + (Math.min(end.getTime(), begin + 3 * DAY_MS) - begin) * ((number - 1) / fate.attempts) ** 3,
    ),
    durationMs: 80 + number * 37,
    status: last ? fate.status : 503,
    error: last ? fate.error : null,
    errorDetail: null,
    responseBody: last && (fate.error ?? fate.status === 204) ? null : 'upstream unavailable',
    requestHeaders: { 'content-type': 'application/json; charset=utf-8', 'webhook-event': event },
    nextReason: last && fate.state !== 'pending' ? null : 'schedule',
    nextAttemptAt: null,
  };
}
