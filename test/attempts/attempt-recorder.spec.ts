import { setImmediate as nextTurn } from 'node:timers/promises';
import { later } from '#libs/database';
import type { NextStep } from '#libs/delivery';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { AttemptWorker } from '#test/support/attempt-worker.js';
import { EVENT_ID, NOW, aDelivery, aFailure, aFinishedAttempt, aRetry, anAnswer } from '#test/support/attempts.js';
import { Ledger } from '#test/support/ledger.js';
import { roundTripsOf } from '#test/support/round-trips.js';

let ledger: Ledger;
let worker: AttemptWorker;
beforeAll(async () => void (ledger = await Ledger.start()));
afterAll(() => ledger.stop());
beforeEach(async () => {
  await ledger.clear();
  worker = new AttemptWorker(ledger);
});
afterEach(() => worker.stop());

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

describe('record', () => {
  const settled = { next_attempt_at: null, finished_at: NOW, attempts: 3 };
  const soon = later(NOW, 5_000);

  it.each<[NextStep, object, string | null, Date | null]>([
    [{ kind: 'delivered' }, { ...settled, state: 'delivered' }, null, null],
    [{ kind: 'cancelled' }, { ...settled, state: 'cancelled' }, 'gone', null],
    [{ kind: 'given_up', webhookRetryAfterUntil: soon }, { ...settled, state: 'exhausted' }, 'exhausted', soon],
    [aRetry, { state: 'pending', next_attempt_at: soon, finished_at: null }, 'retry_after', later(NOW, 4_000)],
  ])('writes the step %o', async (step, expected, reason, retryAfterUntil) => {
    const { delivery, row, attempt, webhook } = await record(anAnswer(503, 'busy'), step);

    expect(row).toMatchObject(expected);
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
      response_body: 'busy',
      request_headers: { 'webhook-id': EVENT_ID },
      next_reason: reason,
      next_attempt_at: row['next_attempt_at'],
    });
    expect(webhook).toMatchObject({ retry_after_until: retryAfterUntil, slow_until: null });
    expect(await worker.counts('attempts_total')).toEqual({ 'outcome="5xx"': 1 });
  });

  it('marks the webhook as slow for half a minute after a time-out', async () => {
    const { attempt, webhook } = await record(aFailure('timeout'), aRetry);

    expect(attempt).toMatchObject({ error: 'timeout', error_detail: 'why timeout', status: null, response_body: null });
    expect(webhook).toMatchObject({ slow_until: later(NOW, 30_000) });
  });

  it('marks no webhook as slow after another failure', async () => {
    const { attempt, webhook } = await record(aFailure('dns'), aRetry);

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

  it('disables no webhook after other steps', async () => {
    expect((await record()).webhook).toMatchObject({ state: 'active' });
  });
});
