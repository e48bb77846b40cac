import { later, uuidAt } from '#libs/database';
import { EventContentService } from '#libs/delivery';
import { beforeEach, describe, expect, it } from 'vitest';
import { AttemptWorker } from '#test/support/attempt-worker.js';
import { NOW } from '#test/support/attempts.js';
import { eventually } from '#test/support/eventually.js';
import { startLedger } from '#test/support/ledger.js';
import { roundTripsOf } from '#test/support/round-trips.js';

const ledger = await startLedger();
let worker: AttemptWorker;
beforeEach(() => void (worker = AttemptWorker.ofTest(ledger)));

const URL = 'https://hooks.example/';
const PAYLOAD = '{"title":"Größe"}';
const soon = later(NOW, 1);

const aLoaded = (webhookId: string, eventId: string) => ({
  accountId: ledger.account.id,
  webhookId,
  kind: 'ticket_started',
  url: URL,
  webhookState: 'active',
  retryAfterUntil: null,
  isSlow: false,
  publiclySigned: false,
  event: {
    id: eventId,
    sequence: '42',
    test: false,
    body: Buffer.from(PAYLOAD),
    requestId: 'request',
    createdAt: NOW,
  },
});

const leasedUntil = later(NOW, 9_000);

const leased = async (webhookId: string, eventId: string, until = leasedUntil) => ({
  ...(await ledger.owed(webhookId, { attempts: 1, queued: true, dueAt: until, eventId })),
  leasedUntil: until,
});

describe('load', () => {
  it('reads deliveries of the same moment in one statement, with an event that came once', async () => {
    const eventId = await ledger.event({ payload: PAYLOAD });
    const webhooks = [await worker.webhook(URL), await worker.webhook(URL)] as const;
    const a = await leased(webhooks[0], eventId);
    const b = await leased(webhooks[1], eventId);
    const gone = { ...a, deliveryId: uuidAt(NOW) };
    let loaded: unknown[] = [];
    const made = await roundTripsOf(async () => {
      loaded = await Promise.all([b, gone, a].map((lease) => worker.loader.load(lease)));
    });

    expect(made).toEqual(['delivery_load', 'delivery_secrets']);
    expect(loaded).toMatchObject([
      { ...aLoaded(webhooks[1], eventId), deliveryId: b.deliveryId, attempts: 1 },
      undefined,
      { ...aLoaded(webhooks[0], eventId), deliveryId: a.deliveryId, attempts: 1 },
    ] as object[]);
  });

  it('loads large payloads in several batches, so that they are not all in memory at once', async () => {
    const webhookId = await worker.webhook(URL);
    const payload = JSON.stringify('x'.repeat(9 * 1024 * 1024));
    const events = [await ledger.event({ payload }), await ledger.event({ payload }), await ledger.event({ payload })];
    const leases = await Promise.all(events.map((eventId) => leased(webhookId, eventId)));
    let loaded: unknown[] = [];
    const made = await roundTripsOf(async () => {
      loaded = await Promise.all(leases.map((lease) => worker.loader.load(lease)));
    });

    expect(made).toEqual(['delivery_load', 'delivery_secrets', 'delivery_load']);
    expect(loaded).toMatchObject(leases.map(({ deliveryId }) => ({ deliveryId })));
  });

  it('returns nothing under an earlier lease', async () => {
    const one = await leased(await worker.webhook(URL), await ledger.event());

    expect(await worker.loader.load({ ...one, leasedUntil: later(leasedUntil, 1) })).toBeUndefined();
  });

  it('returns nothing when the event is gone', async () => {
    expect(await worker.loader.load(await leased(await worker.webhook(URL), uuidAt(NOW)))).toBeUndefined();
  });

  it('returns the secrets that sign, newest first', async () => {
    const webhookId = await ledger.webhook();
    const old = await worker.secret(webhookId, { ageMs: 2_000, expiresAt: soon });
    await worker.secret(webhookId, { ageMs: 3_000, expiresAt: NOW });
    const fresh = await worker.secret(webhookId);

    const loaded = await worker.loader.load(await leased(webhookId, await ledger.event()));
    expect(loaded?.secrets).toEqual([fresh.secret, old.secret]);
  });

  it('returns no secret of a webhook that has none', async () => {
    const loaded = await worker.loader.load(await leased(await ledger.webhook(), await ledger.event()));

    expect(loaded?.secrets).toEqual([]);
  });

  it('reads the state of the webhook', async () => {
    const resting = { state: 'paused', retry_after_until: soon, slow_until: soon, publicly_signed: true };
    const loaded = await worker.loader.load(await leased(await worker.webhook(URL, resting), await ledger.event()));

    expect(loaded).toMatchObject({ webhookState: 'paused', retryAfterUntil: soon, isSlow: true, publiclySigned: true });
  });

  it.each([
    [3_000, 0],
    [3_001, 1],
  ])('with %d ms of its lease left reads %d times', async (leftMs, times) => {
    const one = await leased(await ledger.webhook(), await ledger.event(), later(NOW, leftMs));

    expect(await roundTripsOf(() => worker.loader.load(one))).toHaveLength(times);
  });

  it('returns nothing when the lease runs out while it waits for PostgreSQL', async () => {
    const one = await leased(await worker.webhook(URL), await ledger.event());
    await ledger.sql.query('begin; lock table owed_deliveries');
    const loading = worker.loader.load(one);
    const waiting = 'select pid from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))';
    const [{ pid }] = await eventually(async () => {
      const { rows } = await ledger.sql.query(waiting);
      return rows.length === 1 && rows;
    });
    worker.clock.now = () => leasedUntil;
    await ledger.sql.query('select pg_terminate_backend($1)', [pid]);
    await ledger.sql.query('rollback');

    expect(await loading).toBeUndefined();
  });
});

const contentOf = (eventId: string, secretId: string, createdAt: Date): string =>
  new EventContentService(worker.settings).seal(ledger.account.id, {
    eventId,
    webhooks: 1,
    express: true,
    sequence: '7',
    kind: 'ticket_started',
    payload: PAYLOAD,
    requestId: null,
    cause: { type: 'agent' },
    traceparent: null,
    createdAt,
    receivers: [[uuidAt(NOW), URL, true, secretId, null]],
  })!;

describe('loadFirst', () => {
  it('returns the deliveries of each express event', async () => {
    const webhooks = [await worker.webhook(URL), await worker.webhook(URL)];
    const express = { express: true };
    const one = await ledger.outbox(webhooks, express);
    const other = await ledger.outbox([webhooks[0]!], express);
    const taken = await ledger.outbox(webhooks);
    const loaded = await Promise.all(
      [one, taken, uuidAt(NOW), other].map((eventId) => worker.loader.loadFirst({ eventId })),
    );

    expect(loaded.map((deliveries) => deliveries.map(({ webhookId }) => webhookId).toSorted())).toEqual([
      webhooks,
      [],
      [],
      [webhooks[0]],
    ]);
    expect(loaded[0]).toMatchObject([{ attempts: 0, event: { id: one } }, { event: { id: one } }]);
    expect(loaded[3]).toMatchObject([{ event: { id: other, sequence: '42' } }]);
  });

  it('reads nothing but new secrets if the job has the content of the event', async () => {
    const { id, secret } = await worker.secret(await ledger.webhook({ url: URL }));
    const eventId = uuidAt(NOW);
    const job = { eventId, content: contentOf(eventId, id, later(NOW, -999)) };
    let loaded: unknown;
    const made = await roundTripsOf(async () => {
      await worker.loader.loadFirst(job);
      loaded = await worker.loader.loadFirst(job);
    });

    expect(made).toEqual(['delivery_secrets']);
    expect(loaded).toMatchObject([
      {
        url: URL,
        publiclySigned: true,
        secrets: [secret],
        attempts: 0,
        event: { sequence: '7', createdAt: later(NOW, -999) },
      },
    ]);
  });

  it('reads an event whose job has waited for a second, or has the content of another event', async () => {
    const webhookId = await worker.webhook(URL);
    const eventId = await ledger.outbox([webhookId], { express: true });
    const { id } = await worker.secret(webhookId);
    const contents = [contentOf(eventId, id, later(NOW, -1_000)), contentOf(uuidAt(NOW), id, NOW)];
    for (const content of contents)
      expect(await worker.loader.loadFirst({ eventId, content })).toMatchObject([{ webhookId }]);
  });
});
