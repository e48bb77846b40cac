import { later, uuidAt } from '#libs/database';
import { type FirstRecord, recordFirstAttempts } from '#libs/delivery';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NOW } from '#test/support/attempts.js';
import { Ledger } from '#test/support/ledger.js';

let ledger: Ledger;
beforeAll(async () => void (ledger = await Ledger.start()));
afterAll(() => ledger.stop());
beforeEach(() => ledger.clear());

const soon = later(NOW, 5_000);
const startedAt = later(NOW, -40);

const delivered = { state: 'delivered', status: 204, nextAttemptAt: null, dueAt: null } as const;
const failed = { state: 'pending', status: 503, nextAttemptAt: soon, dueAt: soon, nextReason: 'schedule' } as const;
const running = {
  state: 'pending',
  ended: false,
  nextAttemptAt: NOW,
  dueAt: soon,
  queued: true,
  status: null,
} as const;

const aRecord = (eventId: string, webhookId: string, overrides: Partial<FirstRecord> = {}): FirstRecord => ({
  id: uuidAt(NOW),
  accountId: ledger.account.id,
  webhookId,
  deliveryId: uuidAt(NOW),
  eventId,
  number: 1,
  kind: 'ticket_started',
  ended: true,
  queued: false,
  createdAt: startedAt,
  startedAt,
  durationMs: 40,
  error: null,
  errorDetail: null,
  responseBody: 'ok',
  requestHeaders: '{"a":"1"}',
  nextReason: null,
  retryAfterUntil: null,
  slowUntil: null,
  ...delivered,
  ...overrides,
});

const recordFirst = (...records: readonly FirstRecord[]) =>
  recordFirstAttempts(ledger.system, [...new Set(records.map(({ eventId }) => eventId))], records, NOW);

async function recordOne(result: Partial<FirstRecord>, webhook: object = {}) {
  const webhookId = await ledger.webhook({ ...webhook });
  const eventId = await ledger.outbox([webhookId], { express: true });
  const record = aRecord(eventId, webhookId, result);
  expect(await recordFirst(record)).toEqual(new Set([eventId]));
  return { record, delivery: await ledger.one('deliveries', record.deliveryId) };
}

describe('recordFirstAttempts', () => {
  it('writes a delivered delivery once, with its attempt in its row', async () => {
    const { record, delivery } = await recordOne(delivered);

    expect(delivery).toMatchObject({
      account_id: record.accountId,
      webhook_id: record.webhookId,
      event_id: record.eventId,
      attempts: 1,
      kind: 'ticket_started',
      state: 'delivered',
      next_attempt_at: null,
      last_status: 204,
      last_error: null,
      finished_at: NOW,
      created_at: startedAt,
      only_attempt: {
        id: record.id,
        durationMs: 40,
        status: 204,
        error: null,
        errorDetail: null,
        responseBody: 'ok',
        requestHeaders: { a: '1' },
        nextReason: null,
      },
    });
    expect(await ledger.owedRows()).toEqual([]);
    expect(await ledger.rows('attempts', 'id')).toEqual([]);
    expect(await ledger.rows('outbox', 'event_id')).toEqual([]);
    expect(await ledger.rows('delivery_counts', 'hour')).toMatchObject([{ delivered: 1, retried: 0 }]);
  });

  it('owes a failed delivery its next attempt, and logs the first', async () => {
    const { record, delivery } = await recordOne(failed);

    expect(delivery).toMatchObject({ state: 'pending', next_attempt_at: soon, finished_at: null, only_attempt: null });
    expect(await ledger.owedRows()).toEqual([
      { deliveryId: record.deliveryId, attempts: 1, queued: false, dueAt: soon },
    ]);
    expect(await ledger.rows('attempts', 'id')).toMatchObject([{ id: record.id, number: 1, status: 503 }]);
    expect(await ledger.one('webhooks', record.webhookId)).toMatchObject({ failing_since: NOW });
  });

  it('owes a running delivery under its lease, and logs and counts nothing', async () => {
    const { record, delivery } = await recordOne(running);

    expect(delivery).toMatchObject({ state: 'pending', attempts: 0, next_attempt_at: NOW });
    expect(await ledger.owedRows()).toEqual([
      { deliveryId: record.deliveryId, attempts: 0, queued: true, dueAt: soon },
    ]);
    expect(await ledger.rows('attempts', 'id')).toEqual([]);
    expect(await ledger.rows('delivery_counts', 'hour')).toEqual([]);
    expect(await ledger.one('webhooks', record.webhookId)).toMatchObject({ failing_since: null });
  });

  it('cancels what would be owed to a webhook that was disabled meanwhile', async () => {
    const { delivery } = await recordOne(running, { state: 'disabled' });

    expect(delivery).toMatchObject({ state: 'cancelled', next_attempt_at: null, finished_at: NOW });
    expect(await ledger.owedRows()).toEqual([]);
  });

  it('keeps a success with a webhook that was disabled meanwhile', async () => {
    expect((await recordOne(delivered, { state: 'disabled' })).delivery).toMatchObject({ state: 'delivered' });
  });

  it('writes nothing of events that the relay has taken', async () => {
    const webhookId = await ledger.webhook();
    const express = await ledger.outbox([webhookId], { express: true });
    const left = await ledger.outbox([webhookId]);
    const gone = uuidAt(NOW);
    const recorded = await recordFirst(...[left, gone, express].map((eventId) => aRecord(eventId, webhookId)));

    expect(recorded).toEqual(new Set([express]));
    expect(await ledger.rows('deliveries', 'id')).toMatchObject([{ event_id: express }]);
    expect(await ledger.rows('outbox', 'event_id')).toMatchObject([{ event_id: left }]);
  });
});
