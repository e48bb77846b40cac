import { later, uuidAt } from '#libs/database';
import { LEASE_MS } from '#libs/delivery';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { AttemptWorker } from '#test/support/attempt-worker.js';
import { NOW, aDelivery, aFinishedAttempt, aRetry, anAnswer } from '#test/support/attempts.js';
import { Ledger } from '#test/support/ledger.js';
import type { AttemptRecorder } from '../../apps/worker/src/deliveries/attempt/attempt-recorder.js';
import type { DueDelivery } from '../../apps/worker/src/deliveries/attempt/due-delivery.js';

let ledger: Ledger;
let worker: AttemptWorker;
let webhookId: string;
beforeAll(async () => void (ledger = await Ledger.start()));
afterAll(() => ledger.stop());
beforeEach(async () => {
  await ledger.clear();
  worker = new AttemptWorker(ledger);
  webhookId = await ledger.webhook();
});
afterEach(() => worker.stop());

const CREATED_AT = later(NOW, -2_000);

const express = (at = NOW) => ledger.outbox([webhookId], { express: true, at });

const aFirst = (eventId: string): DueDelivery => {
  const deliveryId = uuidAt(CREATED_AT);
  const event = { ...aDelivery().event, id: eventId };
  return aDelivery({ deliveryId, webhookId, accountId: ledger.account.id, event });
};

type Result = Parameters<AttemptRecorder['recordFirst']>[1][number]['result'];

/** The rows of a delivery after this result. */
async function recorded(resultOf: (delivery: DueDelivery) => Result) {
  const delivery = aFirst(await express());
  expect(await worker.recorder.recordFirst(delivery.event.id, [{ delivery, result: resultOf(delivery) }])).toBe(true);
  return { row: await ledger.one('deliveries', delivery.deliveryId), owed: await ledger.owedRows() };
}

it('writes a delivered delivery as settled', async () => {
  const { row, owed } = await recorded((delivery) => aFinishedAttempt(delivery));

  expect(row).toMatchObject({
    kind: 'ticket_started',
    state: 'delivered',
    attempts: 1,
    created_at: CREATED_AT,
    only_attempt: { status: 204, durationMs: 12 },
  });
  expect(owed).toEqual([]);
});

it('writes a failed delivery as due at its next attempt', async () => {
  const { row, owed } = await recorded((delivery) => aFinishedAttempt(delivery, anAnswer(503), aRetry));

  expect(row).toMatchObject({ state: 'pending', attempts: 1, next_attempt_at: later(NOW, 5_000) });
  expect(owed).toMatchObject([{ attempts: 1, queued: false, dueAt: later(NOW, 5_000) }]);
});

it('writes a running delivery under a lease, without an attempt', async () => {
  const { row, owed } = await recorded(() => undefined);

  expect(row).toMatchObject({
    state: 'pending',
    attempts: 0,
    next_attempt_at: NOW,
    last_status: null,
    last_error: null,
  });
  expect(owed).toMatchObject([{ attempts: 0, queued: true, dueAt: later(NOW, LEASE_MS) }]);
  expect(await worker.counts('deliveries_postponed_total')).toEqual({});
});

it('writes a postponed delivery as due after the pause', async () => {
  const { row, owed } = await recorded(() => ({ reason: 'busy', forMs: 700 }));

  expect(row).toMatchObject({ state: 'pending', attempts: 0, next_attempt_at: NOW });
  expect(owed).toMatchObject([{ attempts: 0, queued: false, dueAt: later(NOW, 700) }]);
  expect(await worker.counts('deliveries_postponed_total')).toEqual({ 'reason="busy"': 1 });
});

it('writes a delivery without the texts that PostgreSQL refuses', async () => {
  const { row, owed } = await recorded((delivery) => aFinishedAttempt(delivery, anAnswer(200, 'a\0b')));

  expect(row).toMatchObject({ state: 'delivered', only_attempt: { status: 200, responseBody: null } });
  expect(owed).toEqual([]);
});

it('disables the webhook of a receiver that is gone', async () => {
  await recorded((delivery) => aFinishedAttempt(delivery, anAnswer(410), { kind: 'cancelled' }));

  expect(await ledger.one('webhooks', webhookId)).toMatchObject({ state: 'disabled', disabled_reason: 'gone' });
});

const resultsOf = (eventId: string, ...results: readonly ('done' | 'running')[]) =>
  results.map((result) => {
    const delivery = aFirst(eventId);
    return { delivery, result: result === 'done' ? aFinishedAttempt(delivery) : undefined };
  });

it('counts events that left the outbox, their deliveries and the time of the oldest', async () => {
  const newer = await express();
  const older = await express(later(NOW, -3_000));
  const gone = uuidAt(NOW);
  const { recorder, registry } = worker;

  expect(
    await Promise.all([
      recorder.recordFirst(newer, resultsOf(newer, 'running')),
      recorder.recordFirst(older, resultsOf(older, 'done', 'running')),
      recorder.recordFirst(gone, resultsOf(gone, 'done')),
    ]),
  ).toEqual([true, true, false]);
  expect(await worker.counts('attempts_total')).toEqual({ 'outcome="2xx"': 1 });
  const text = await registry.metrics();
  expect(text).toContain('deskwire_events_relayed_total{app="worker"} 2');
  expect(text).toContain('deskwire_deliveries_created_total{app="worker"} 3');
  expect(text).toContain('deskwire_relay_lag_seconds_sum{app="worker"} 3');
});

it('counts nothing when the events have left the outbox before', async () => {
  expect(await worker.recorder.recordFirst(uuidAt(NOW), [])).toBe(false);
  expect(await worker.registry.metrics()).toContain('deskwire_relay_lag_seconds_count{app="worker"} 0');
});
