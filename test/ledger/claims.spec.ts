import { NIL_UUID, definedStatements, later } from '#libs/database';
import { LEASE_MS, claimEvents, leaveToRelay, readLateEvents } from '#libs/delivery';
import { describe, expect, it } from 'vitest';
import { NOW } from '#test/support/attempts.js';
import { startLedger } from '#test/support/ledger.js';
import { roundTripsOf } from '#test/support/round-trips.js';
import { seedAccount } from '#test/support/seed.js';

const ledger = await startLedger();

const leasedUntil = later(NOW, LEASE_MS);

const claim = ({ afterAccount = NIL_UUID, exceptAccounts = [] as string[], room = 10 } = {}) =>
  claimEvents(ledger.system, { afterAccount, exceptAccounts, room, now: NOW, leasedUntil });

const inOutbox = async () => (await ledger.rows('outbox', 'event_id')).map(({ event_id: id }) => id);

describe('claimEvents', () => {
  it('turns an event into a delivery that is leased for the queue', async () => {
    const webhookId = await ledger.webhook();
    const eventId = await ledger.outbox([webhookId]);
    const accountId = ledger.account.id;

    const { claimed, ...summary } = await claim();

    expect(claimed).toMatchObject([{ accountId, eventId }]);
    expect(summary).toMatchObject({ accounts: 1, lastAccount: accountId, events: 1, deliveries: 1 });
    expect(summary.oldestEventId).toBe(eventId);
    const { deliveryId } = claimed[0]!;
    expect(await ledger.one('deliveries', deliveryId)).toMatchObject({
      account_id: accountId,
      webhook_id: webhookId,
      event_id: eventId,
      kind: 'ticket_started',
      state: 'pending',
      attempts: 0,
      next_attempt_at: NOW,
      finished_at: null,
      created_at: NOW,
    });
    expect(await ledger.owedRows()).toEqual([{ deliveryId, attempts: 0, queued: true, dueAt: leasedUntil }]);
    expect(await inOutbox()).toEqual([]);
  });

  it('leaves the deliveries of webhooks that are paused, slow or within Retry-After to the feeder', async () => {
    const soon = later(NOW, 1);
    const resting = [{ state: 'paused' }, { retry_after_until: soon }, { slow_until: soon }];
    const webhookIds: string[] = [];
    for (const columns of resting) webhookIds.push(await ledger.webhook(columns));
    await ledger.outbox(webhookIds);

    expect(await claim()).toMatchObject({ events: 1, deliveries: 3, claimed: [] });
    expect(await ledger.owedRows()).toMatchObject(resting.map(() => ({ queued: false, dueAt: NOW })));
  });

  it('writes the deliveries of a disabled webhook as cancelled', async () => {
    await ledger.outbox([await ledger.webhook({ state: 'disabled' })]);
    const { claimed } = await claim();

    expect(claimed).toEqual([]);
    expect(await ledger.rows('deliveries', 'id')).toMatchObject([
      { state: 'cancelled', next_attempt_at: null, finished_at: NOW },
    ]);
    expect(await ledger.owedRows()).toEqual([]);
  });

  it('leaves express events to their jobs', async () => {
    const eventId = await ledger.outbox([await ledger.webhook()], { express: true });
    const nothing = { accounts: 0, lastAccount: null, events: 0, deliveries: 0, oldestEventId: null, claimed: [] };

    expect(await claim()).toMatchObject(nothing);
    expect(await inOutbox()).toEqual([eventId]);
  });

  it('leases no more deliveries than the queue has room for', async () => {
    await ledger.outbox([await ledger.webhook(), await ledger.webhook(), await ledger.webhook()]);
    const { claimed, deliveries } = await claim({ room: 2 });

    expect([claimed.length, deliveries]).toEqual([2, 3]);
    expect((await ledger.owedRows()).filter(({ queued }) => queued)).toHaveLength(2);
  });

  it('serves the accounts in turn, however many events one has', async () => {
    const other = await seedAccount(ledger.sql, { name: 'Other' });
    const mine = await ledger.webhook();
    const theirs = await ledger.webhook({ account_id: other.id });
    for (let one = 0; one < 3; one++) await ledger.outbox([mine]);
    await ledger.outbox([theirs], { accountId: other.id });
    const { claimed, accounts, lastAccount } = await claim({ room: 2 });

    expect(claimed.map(({ accountId }) => accountId).toSorted()).toEqual([ledger.account.id, other.id].toSorted());
    expect([accounts, lastAccount]).toEqual([2, other.id]);
    expect(await claim({ afterAccount: other.id })).toMatchObject({ accounts: 0, claimed: [] });
  });

  it('leaves out accounts', async () => {
    const other = await seedAccount(ledger.sql, { name: 'Other' });
    const left = await ledger.outbox([await ledger.webhook()]);
    await ledger.outbox([await ledger.webhook({ account_id: other.id })], { accountId: other.id });

    const { claimed, accounts } = await claim({ exceptAccounts: [ledger.account.id] });

    expect(claimed.map(({ accountId }) => accountId)).toEqual([other.id]);
    expect([accounts, await inOutbox()]).toEqual([1, [left]]);
  });
});

describe('readLateEvents', () => {
  it('returns express events older than a quarter of a second, oldest first', async () => {
    const webhooks = [await ledger.webhook()];
    const late = await ledger.outbox(webhooks, { express: true, at: later(NOW, -260) });
    const older = await ledger.outbox(webhooks, { express: true, at: later(NOW, -900) });
    await ledger.outbox(webhooks, { express: true, at: later(NOW, -240) });
    await ledger.outbox(webhooks, { at: later(NOW, -900) });

    expect(await readLateEvents(ledger.system, { now: NOW, after: NIL_UUID, limit: 10 })).toEqual([older, late]);
    expect(await readLateEvents(ledger.system, { now: NOW, after: NIL_UUID, limit: 1 })).toEqual([older]);
    expect(await readLateEvents(ledger.system, { now: NOW, after: older, limit: 1 })).toEqual([late]);
  });
});

it('names every statement, so that each connection plans it once', () => {
  expect(definedStatements().map(({ name }) => name)).not.toContain('');
});

describe('leaveToRelay', () => {
  it('makes express events claimable', async () => {
    const webhookId = await ledger.webhook();
    const [left, kept] = [
      await ledger.outbox([webhookId], { express: true }),
      await ledger.outbox([webhookId], { express: true }),
    ];
    await leaveToRelay(ledger.system, [left]);

    expect((await claim()).claimed).toMatchObject([{ eventId: left }]);
    expect(await inOutbox()).toEqual([kept]);
  });

  it('sends no statement without events', async () => {
    expect(await roundTripsOf(() => leaveToRelay(ledger.system, []))).toEqual([]);
  });
});
