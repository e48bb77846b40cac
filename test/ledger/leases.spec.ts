import { NIL_UUID, later } from '#libs/database';
import { LEASE_MS, extendLeases, giveBack, giveBackAll, leaseDue } from '#libs/delivery';
import { describe, expect, it } from 'vitest';
import { NOW } from '#test/support/attempts.js';
import { type Ledger, startLedger } from '#test/support/ledger.js';
import { roundTripsOf } from '#test/support/round-trips.js';

const ledger = await startLedger();

const leasedUntil = later(NOW, LEASE_MS);
const past = later(NOW, -1);
const soon = later(NOW, 1);

const lease = ({ afterWebhook = NIL_UUID, webhooks = 10, capacity = 100 } = {}) =>
  leaseDue(ledger.system, { afterWebhook, webhooks, capacity, perSlowWebhook: 1, now: NOW, leasedUntil });

describe('leaseDue', () => {
  it('leases due deliveries and leaves the others', async () => {
    const webhookId = await ledger.webhook();
    const due = await ledger.owed(webhookId, { attempts: 2 });
    await ledger.owed(webhookId, { dueAt: soon });
    const { deliveries, ...summary } = await lease();

    expect(deliveries).toMatchObject([due]);
    expect(summary).toMatchObject({ mine: true, webhooks: 1, lastWebhook: webhookId, found: 0 });
    expect(await ledger.owedRows()).toMatchObject([
      { deliveryId: due.deliveryId, attempts: 2, queued: true, dueAt: leasedUntil },
      { queued: false, dueAt: soon },
    ]);
  });

  it('returns only a summary when nothing is owed', async () => {
    expect(await lease()).toMatchObject({ mine: true, webhooks: 0, lastWebhook: null, found: 0, deliveries: [] });
  });

  it.each([
    ['paused', { state: 'paused' }],
    ['disabled', { state: 'disabled' }],
    ['retry_after', { retry_after_until: soon }],
  ])('leases nothing of a webhook that is %s', async (_name, columns) => {
    await ledger.owed(await ledger.webhook(columns));

    expect((await lease()).deliveries).toEqual([]);
  });

  it('leases one delivery at a time of a slow webhook', async () => {
    const webhookId = await ledger.webhook({ slow_until: soon });
    for (let one = 0; one < 3; one++) await ledger.owed(webhookId);

    expect((await lease()).deliveries).toHaveLength(1);
    expect((await lease()).deliveries).toHaveLength(0);
  });

  it('makes deliveries due whose lease has expired', async () => {
    const { deliveryId, attempts } = await ledger.owed(await ledger.webhook(), { queued: true, dueAt: past });

    expect(await lease()).toMatchObject({ found: 1, deliveries: [] });
    expect(await ledger.owedRows()).toEqual([{ deliveryId, attempts, queued: false, dueAt: NOW }]);
  });

  it('continues after a webhook, and shares the capacity', async () => {
    const [first, second] = [await ledger.webhook(), await ledger.webhook()];
    for (let one = 0; one < 8; one++) for (const id of [first, second]) await ledger.owed(id);

    expect(await lease({ webhooks: 1, capacity: 6 })).toMatchObject({ webhooks: 1, lastWebhook: first });
    const { deliveries, lastWebhook } = await lease({ afterWebhook: first });
    expect([deliveries.length, lastWebhook]).toEqual([8, second]);
    expect((await lease({ capacity: 0 })).deliveries).toEqual([]);
  });

  it('leases nothing while another process does', async () => {
    await ledger.owed(await ledger.webhook());
    await ledger.sql.query('select pg_advisory_lock(7311530942)');
    const meanwhile = await lease();
    await ledger.sql.query('select pg_advisory_unlock(7311530942)');

    expect(meanwhile).toMatchObject({ mine: false, webhooks: 0, deliveries: [] });
    expect(await lease()).toMatchObject({ mine: true, webhooks: 1 });
  });
});

const extend = (refs: Parameters<typeof extendLeases>[1]) => extendLeases(ledger.system, refs, leasedUntil);

describe('extendLeases', () => {
  it('renews leases of the same attempt that were not released', async () => {
    const webhookId = await ledger.webhook();
    const running = await ledger.owed(webhookId, { attempts: 1, queued: true });
    const next = await ledger.owed(webhookId, { attempts: 2, queued: true });
    const released = await ledger.owed(webhookId, { attempts: 1 });
    await extend([running, { ...next, attempts: 1 }, released]);

    expect(await ledger.owedRows()).toMatchObject([
      { queued: true, dueAt: leasedUntil },
      { queued: true, dueAt: NOW },
      { queued: false, dueAt: NOW },
    ]);
  });

  it('sends no statement without deliveries', async () => {
    expect(await roundTripsOf(() => extend([]))).toEqual([]);
  });
});

describe('giveBack', () => {
  it('makes each delivery due at its time, if it is still leased for the same attempt', async () => {
    const webhookId = await ledger.webhook();
    const leased = { queued: true, dueAt: leasedUntil };
    const given = [await ledger.owed(webhookId, leased), await ledger.owed(webhookId, leased)];
    const next = await ledger.owed(webhookId, { ...leased, attempts: 1 });
    const free = await ledger.owed(webhookId, { dueAt: soon });
    const leases = [...given, { ...next, attempts: 0 }, free].map((ref, place) => ({ ref, dueAt: later(NOW, place) }));
    await giveBack(ledger.system, leases);

    expect(await ledger.owedRows()).toMatchObject([
      { queued: false, dueAt: NOW },
      { queued: false, dueAt: later(NOW, 1) },
      { queued: true, dueAt: leasedUntil },
      { queued: false, dueAt: soon },
    ]);
  });
});

it('giveBackAll makes all leased deliveries due, and returns their number', async () => {
  const webhookId = await ledger.webhook();
  await ledger.owed(webhookId, { queued: true });
  await ledger.owed(webhookId, { queued: true });
  await ledger.owed(webhookId, { dueAt: past });

  expect(await giveBackAll(ledger.system, soon)).toBe(2);
  expect((await ledger.owedRows()).map(({ dueAt }) => dueAt)).toEqual([soon, soon, past]);
});

type Ref = Awaited<ReturnType<Ledger['owed']>>;

/** Batches that lock in different orders deadlock. */
describe.each([
  ['extendLeases', (refs: readonly Ref[]) => extendLeases(ledger.system, refs, leasedUntil)],
  [
    'giveBack',
    (refs: readonly Ref[]) =>
      giveBack(
        ledger.system,
        refs.map((ref) => ({ ref, dueAt: NOW })),
      ),
  ],
])('%s', (_name, work) => {
  it.each([['ascending'], ['descending']])('locks in the order of ids when they come %s', async (order) => {
    const webhookId = await ledger.webhook();
    const [low, high] = [
      await ledger.owed(webhookId, { queued: true }),
      await ledger.owed(webhookId, { queued: true }),
    ];
    const refs = order === 'ascending' ? [low, high] : [high, low];

    expect(await ledger.locksLowerIdFirst(low.deliveryId, high.deliveryId, () => work(refs))).toBe(true);
  });
});
