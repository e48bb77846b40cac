import { setImmediate as nextTurn } from 'node:timers/promises';
import { later } from '#libs/database';
import type { NextStep } from '#libs/delivery';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AttemptWorker } from '#test/support/attempt-worker.js';
import { EVENT_ID, NOW, aDelivery, aFailure, aFinishedAttempt, aRetry, anAnswer } from '#test/support/attempts.js';
import { startLedger } from '#test/support/ledger.js';
import { roundTripsOf } from '#test/support/round-trips.js';

const ledger = await startLedger();
let worker: AttemptWorker;
beforeEach(() => void (worker = AttemptWorker.ofTest(ledger)));

/** A delivery that is owed its third attempt. */
async function aLeased() {
  const webhookId = await ledger.webhook();
  const { deliveryId } = await ledger.owed(webhookId, { attempts: 2, queued: true });
  return aDelivery({ deliveryId, webhookId, accountId: ledger.account.id, attempts: 2 });
}

async function record(outcome = anAnswer(204), step: NextStep = { kind: 'delivered' }) {
  const delivery = await aLeased();
  await worker.recorder.record(delivery, aFinishedAttempt(delivery, outcome, step));
  return {
    delivery,
    row: await ledger.one('deliveries', delivery.deliveryId),
    attempt: (await ledger.rows('attempts', 'id'))[0],
    webhook: await ledger.one('webhooks', delivery.webhookId),
  };
}

/** An array literal of PostgreSQL has to quote it. */
const TEXT = 'NULL,\\"\n{c}';

describe('record', () => {
  const settled = { next_attempt_at: null, finished_at: NOW };
  const soon = later(NOW, 5_000);
  const waiting = { next_attempt_at: soon, finished_at: null };

  it.each<[NextStep, object, string | null, Date | null, object]>([
    [{ kind: 'delivered' }, { ...settled, state: 'delivered' }, null, null, { delivered: 1, retried: 0, given_up: 0 }],
    [{ kind: 'cancelled' }, { ...settled, state: 'cancelled' }, 'gone', null, { delivered: 0, given_up: 1 }],
    [
      { kind: 'given_up', webhookRetryAfterUntil: soon },
      { ...settled, state: 'exhausted' },
      'exhausted',
      soon,
      { given_up: 1 },
    ],
    [aRetry, { ...waiting, state: 'pending' }, 'retry_after', later(NOW, 4_000), { retried: 1, given_up: 0 }],
  ])('writes the step %o', async (step, expected, reason, retryAfterUntil, counted) => {
    const { delivery, row, attempt, webhook } = await record(anAnswer(503, TEXT), step);

    expect(row).toMatchObject({ ...expected, attempts: 3, last_status: 503, last_error: null });
    expect(await ledger.owedRows()).toMatchObject(
      step === aRetry ? [{ deliveryId: delivery.deliveryId, attempts: 3, queued: false, dueAt: soon }] : [],
    );
    expect(attempt).toMatchObject({
      account_id: delivery.accountId,
      webhook_id: delivery.webhookId,
      delivery_id: delivery.deliveryId,
      number: 3,
      started_at: later(NOW, -1_000),
      duration_ms: 12,
      status: 503,
      error: null,
      error_detail: null,
      response_body: TEXT,
      request_headers: { 'webhook-id': EVENT_ID },
      next_reason: reason,
      next_attempt_at: row['next_attempt_at'],
    });
    const state = reason === 'gone' ? 'disabled' : 'active';
    expect(webhook).toMatchObject({ state, retry_after_until: retryAfterUntil, slow_until: null });
    expect(await ledger.rows('delivery_counts', 'hour')).toMatchObject([
      { ...counted, duration_ms: '12', longest_ms: 12 },
    ]);
    expect(await worker.counts('attempts_total')).toEqual({ 'outcome="5xx"': 1 });
  });

  it('marks the webhook as slow for half a minute after a time-out', async () => {
    const { attempt, webhook } = await record(aFailure('timeout'), aRetry);

    expect(attempt).toMatchObject({ error: 'timeout', error_detail: 'why timeout', status: null, response_body: null });
    expect(webhook).toMatchObject({ slow_until: later(NOW, 30_000) });
  });

  it('marks no webhook as slow after another failure', async () => {
    const { row, attempt, webhook } = await record(aFailure('dns'), aRetry);

    expect(row).toMatchObject({ last_status: null, last_error: 'dns' });
    expect(attempt).toMatchObject({ error: 'dns', error_detail: 'why dns' });
    expect(webhook).toMatchObject({ slow_until: null });
  });

  it('writes attempts that end within ten milliseconds in one statement', async () => {
    const deliveries = [await aLeased(), await aLeased(), await aLeased()];
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const made = await roundTripsOf(async () => {
      const records = [];
      for (const delivery of deliveries) {
        records.push(worker.recorder.record(delivery, aFinishedAttempt(delivery)));
        await nextTurn();
        vi.advanceTimersByTime(4);
      }
      await Promise.all(records);
    }).finally(() => vi.useRealTimers());

    expect(made).toEqual(['delivery_record']);
    expect(await ledger.owedRows()).toEqual([]);
  });

  it('gives a postponed delivery back for that time', async () => {
    await worker.recorder.record(await aLeased(), { reason: 'busy', forMs: 700 });

    expect(await ledger.owedRows()).toMatchObject([{ attempts: 2, queued: false, dueAt: later(NOW, 700) }]);
    expect(await worker.counts('deliveries_postponed_total')).toEqual({ 'reason="busy"': 1 });
    expect(await worker.counts('attempts_total')).toEqual({});
  });

  it('disables the webhook of a receiver that is gone, once', async () => {
    const { delivery, webhook } = await record(anAnswer(410), { kind: 'cancelled' });
    await worker.recorder.record(delivery, aFinishedAttempt(delivery, anAnswer(410), { kind: 'cancelled' }));

    expect(webhook).toMatchObject({ state: 'disabled', disabled_reason: 'gone' });
    expect(await worker.counts('webhooks_disabled_total')).toEqual({ 'reason="gone"': 1 });
  });

  it('disables no webhook whose URL was changed after the attempt began', async () => {
    const delivery = await aLeased();
    await ledger.sql.query("update webhooks set url = 'https://new.example/'");
    await worker.recorder.record(delivery, aFinishedAttempt(delivery, anAnswer(410), { kind: 'cancelled' }));

    expect(await ledger.one('webhooks', delivery.webhookId)).toMatchObject({ state: 'active' });
    expect(await worker.counts('webhooks_disabled_total')).toEqual({});
  });

  it('records an attempt without its texts if PostgreSQL refuses them, and others of the batch with theirs', async () => {
    const refused = await aLeased();
    const other = await aLeased();
    await Promise.all([
      worker.recorder.record(refused, aFinishedAttempt(refused, anAnswer(503, 'a\0b'), { kind: 'delivered' })),
      worker.recorder.record(other, aFinishedAttempt(other, anAnswer(503, 'busy'), { kind: 'delivered' })),
    ]);

    const attempts = new Map((await ledger.rows('attempts', 'id')).map((row) => [row['delivery_id'], row]));
    const result = { status: 503, error_detail: null };
    expect(attempts.get(refused.deliveryId)).toMatchObject({ ...result, response_body: null, request_headers: {} });
    expect(attempts.get(other.deliveryId)).toMatchObject({ ...result, response_body: 'busy' });
    expect(await ledger.owedRows()).toEqual([]);
  });
});
