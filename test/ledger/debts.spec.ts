import { Bell, Transactions, later, uuidAt } from '#libs/database';
import { EventsService } from '#libs/events';
import type { Delivery } from '#libs/entities';
import { CountCache, ListsService } from '#libs/lists';
import { Links } from '#libs/payloads';
import { Metrics } from '#libs/telemetry';
import { cancelOwedBefore, makeDue, sweepOutbox } from '#libs/delivery';
import {
  DeliveriesService,
  OperatorWebhooksService,
  TrafficService,
  WebhookDisablingService,
  type WebhookOwner,
} from '#libs/webhooks';
import { beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '#test/support/attempt-worker.js';
import { NOW } from '#test/support/attempts.js';
import { startLedger } from '#test/support/ledger.js';

const clock = new FixedClock();
const ledger = await startLedger();
const { database, account } = ledger;
const events = new EventsService(clock, new Links('https://desk.example'), new Bell(database), new Metrics('tests'));
const lists = new ListsService(database, new CountCache(clock));
const traffic = new TrafficService(database, clock);
const deliveries = new DeliveriesService(new Transactions(database, clock), events, lists, traffic);
const disabling = new WebhookDisablingService(database, clock);
const owner: WebhookOwner = {
  accountId: account.id,
  agentId: account.owner.id,
  role: 'owner',
  scopes: ['read', 'admin'],
  applicationId: null,
  grantId: null,
  requestId: null,
};

let webhookId: string;
beforeEach(async () => void (webhookId = await ledger.webhook()));

const late = later(NOW, 60_000);
const states = async () => (await ledger.rows('deliveries', 'id')).map(({ state }) => state);

describe('redeliver', () => {
  it('owes a settled delivery again and keeps its attempts', async () => {
    const id = await ledger.delivery(webhookId, { attempts: 4, columns: { finished_at: NOW } });
    const delivery = await deliveries.redeliver(owner, id);

    expect(delivery).toMatchObject({ state: 'pending', attempts: 4, nextAttemptAt: NOW, finishedAt: null });
    expect(await ledger.owedRows()).toEqual([{ deliveryId: id, attempts: 4, queued: false, dueAt: NOW }]);
  });

  it('makes a delivery due that waits for a retry', async () => {
    const { deliveryId } = await ledger.owed(webhookId, { attempts: 1, dueAt: late });

    expect(await deliveries.redeliver(owner, deliveryId)).toMatchObject({ nextAttemptAt: NOW });
    expect(await ledger.owedRows()).toMatchObject([{ queued: false, dueAt: NOW }]);
  });

  it('leaves a queued delivery alone', async () => {
    const { deliveryId } = await ledger.owed(webhookId, { queued: true, dueAt: late });

    expect(await deliveries.redeliver(owner, deliveryId)).toMatchObject({ nextAttemptAt: late });
    expect(await ledger.owedRows()).toMatchObject([{ queued: true, dueAt: late }]);
  });

  it('locks the owed delivery before its webhook, as workers do', async () => {
    const { deliveryId } = await ledger.owed(webhookId, { attempts: 1, dueAt: late });
    const redeliver = () => deliveries.redeliver(owner, deliveryId);
    const lockWebhook = () => ledger.sql.query(LOCK_WEBHOOK, [webhookId]);

    await expect(ledger.whileBlocked(deliveryId, redeliver, lockWebhook)).resolves.toBeUndefined();
  });
});

const LOCK_WEBHOOK = 'select from webhooks where id = $1 for update nowait';
const OWE_MANY = `
  with delivery as (
    insert into deliveries (id, account_id, webhook_id, event_id, kind, state, attempts, next_attempt_at, created_at)
    select gen_random_uuid(), $1, $2, $3, 'ticket_started', 'pending', 0, $4::timestamptz, $4 from generate_series(1, 2500)
    returning *
  )
  insert into owed_deliveries (delivery_id, account_id, webhook_id, event_id, attempts, queued, due_at)
  select id, account_id, webhook_id, event_id, attempts, false, next_attempt_at from delivery`;

describe('makeDue', () => {
  it.each([
    ['all that waits', () => ({}), 2],
    ['what waits for a webhook', () => ({ webhookId }), 1],
    ['what waits in an account', () => ({ accountId: owner.accountId }), 2],
    ['nothing of another account', () => ({ accountId: uuidAt(NOW) }), 0],
  ])('makes due %s', async (_name, scope, expected) => {
    const other = await ledger.webhook();
    for (const id of [webhookId, other]) await ledger.owed(id, { dueAt: late });
    const queued = await ledger.owed(other, { queued: true, dueAt: late });

    expect(await makeDue(ledger.system, scope(), NOW)).toBe(expected);
    const rows = await ledger.owedRows();
    expect(rows.filter(({ dueAt }) => (dueAt as Date) <= NOW)).toHaveLength(expected);
    expect(rows.at(-1)).toMatchObject({ deliveryId: queued.deliveryId, dueAt: late });
    const shown = (await ledger.rows('deliveries', 'id')).map(({ next_attempt_at: at }) => at as Date);
    expect(shown.filter((at) => at <= NOW)).toHaveLength(expected);
  });

  it('makes due more than one statement takes', async () => {
    const values = [owner.accountId, webhookId, await ledger.event(), late];
    await ledger.sql.query(OWE_MANY, values);

    expect(await makeDue(ledger.system, {}, NOW)).toBe(2_500);
  });
});

describe('cancelled deliveries', () => {
  it('end with their disabled webhook', async () => {
    const other = await ledger.webhook();
    await ledger.owed(webhookId);
    await ledger.owed(webhookId, { queued: true });
    const kept = await ledger.owed(other);
    await disabling.disable({ webhookId, reason: 'gone' });

    expect(await ledger.owedRows()).toMatchObject([{ deliveryId: kept.deliveryId }]);
    expect(await states()).toEqual(['cancelled', 'cancelled', 'pending']);
    expect((await ledger.rows('deliveries', 'id'))[0]).toMatchObject({ next_attempt_at: null, finished_at: NOW });
  });

  it('do not include those of a webhook that is enabled again meanwhile', async () => {
    const { deliveryId } = await ledger.owed(webhookId);
    for (const dueAt of [NOW, late])
      await ledger.sql.query(OWE_MANY, [owner.accountId, webhookId, await ledger.event(), dueAt]);
    const operator = new OperatorWebhooksService(database, clock, disabling);
    let sent: Delivery | undefined;
    await ledger.whileBlocked(
      deliveryId,
      () => operator.disable(webhookId),
      async () => {
        await operator.enable(webhookId);
        sent = await deliveries.sendTest(owner, webhookId);
      },
    );

    expect(await ledger.owedRows()).toContainEqual(expect.objectContaining({ deliveryId: sent?.id }));
    expect(await ledger.one('deliveries', sent!.id)).toMatchObject({ state: 'pending' });
    expect((await states()).filter((state) => state === 'cancelled')).toHaveLength(2_000);
  });

  it('end with their purged events, up to the limit', async () => {
    for (let one = 0; one < 3; one++) await ledger.owed(webhookId);
    const { eventId } = await ledger.owed(webhookId);
    const cancel = () => cancelOwedBefore(ledger.system, eventId, { now: NOW, limit: 2 });

    expect([await cancel(), await cancel(), await cancel()]).toEqual([2, 1, 0]);
    expect(await states()).toEqual(['cancelled', 'cancelled', 'cancelled', 'pending']);
  });
});

it('sweepOutbox deletes purged events, up to the limit', async () => {
  for (let one = 0; one < 3; one++) await ledger.outbox([webhookId], { at: later(NOW, -1_000) });
  const kept = await ledger.outbox([webhookId]);
  const sweep = () => sweepOutbox(ledger.system, uuidAt(later(NOW, -500)), 2);

  expect([await sweep(), await sweep(), await sweep()]).toEqual([2, 1, 0]);
  expect(await ledger.rows('outbox', 'event_id')).toMatchObject([{ event_id: kept }]);
});
