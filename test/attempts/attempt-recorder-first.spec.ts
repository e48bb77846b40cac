import { later, uuidAt } from '#libs/database';
import { LEASE_MS } from '#libs/delivery';
import { beforeEach, expect, it } from 'vitest';
import { AttemptWorker } from '#test/support/attempt-worker.js';
import { NOW, aDelivery, aFinishedAttempt, aRetry, anAnswer } from '#test/support/attempts.js';
import { startLedger } from '#test/support/ledger.js';
import type { AttemptRecorder } from '../../apps/worker/src/deliveries/attempt/attempt-recorder.js';
import type { DueDelivery } from '../../apps/worker/src/deliveries/attempt/due-delivery.js';

const ledger = await startLedger();
let worker: AttemptWorker;
let webhookId: string;
beforeEach(async () => {
  worker = AttemptWorker.ofTest(ledger);
  webhookId = await ledger.webhook();
});

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
  return {
    delivery,
    row: await ledger.one('deliveries', delivery.deliveryId),
    owed: await ledger.owedRows(),
    attempts: await ledger.rows('attempts', 'id'),
    counts: await ledger.rows('delivery_counts', 'hour'),
    webhook: await ledger.one('webhooks', webhookId),
  };
}

const delivered = (delivery: DueDelivery) => aFinishedAttempt(delivery);
const running = () => undefined;
const disable = () => ledger.sql.query("update webhooks set state = 'disabled'");

it('writes a delivered delivery as settled, with its attempt in its row', async () => {
  const { delivery, row, owed, attempts, counts } = await recorded(delivered);

  expect(row).toMatchObject({
    account_id: ledger.account.id,
    webhook_id: webhookId,
    event_id: delivery.event.id,
    kind: 'ticket_started',
    state: 'delivered',
    attempts: 1,
    next_attempt_at: null,
    last_status: 204,
    last_error: null,
    finished_at: NOW,
    created_at: CREATED_AT,
    only_attempt: {
      id: expect.any(String),
      status: 204,
      durationMs: 12,
      error: null,
      errorDetail: null,
      responseBody: null,
      requestHeaders: { 'webhook-id': delivery.event.id },
      nextReason: null,
    },
  });
  expect([owed, attempts, await ledger.rows('outbox', 'event_id')]).toEqual([[], [], []]);
  expect(counts).toMatchObject([{ delivered: 1, retried: 0 }]);
});

it('writes a failed delivery as due at its next attempt, and logs the first', async () => {
  const { row, owed, attempts, webhook } = await recorded((delivery) =>
    aFinishedAttempt(delivery, anAnswer(503), aRetry),
  );

  expect(row).toMatchObject({ state: 'pending', attempts: 1, finished_at: null, only_attempt: null });
  expect(row).toMatchObject({ next_attempt_at: later(NOW, 5_000) });
  expect(owed).toMatchObject([{ attempts: 1, queued: false, dueAt: later(NOW, 5_000) }]);
  expect(attempts).toMatchObject([{ number: 1, status: 503 }]);
  expect(webhook).toMatchObject({ failing_since: NOW });
});

it('writes a running delivery under a lease, and logs and counts nothing', async () => {
  const { row, owed, attempts, counts, webhook } = await recorded(running);

  expect(row).toMatchObject({ state: 'pending', attempts: 0, next_attempt_at: NOW });
  expect(row).toMatchObject({ last_status: null, last_error: null });
  expect(owed).toMatchObject([{ attempts: 0, queued: true, dueAt: later(NOW, LEASE_MS) }]);
  expect([attempts, counts]).toEqual([[], []]);
  expect(webhook).toMatchObject({ failing_since: null });
  expect(await worker.counts('deliveries_postponed_total')).toEqual({});
});

it('cancels what would be owed to a webhook that was disabled meanwhile', async () => {
  await disable();
  const { row, owed } = await recorded(running);

  expect(row).toMatchObject({ state: 'cancelled', next_attempt_at: null, finished_at: NOW });
  expect(owed).toEqual([]);
});

it('keeps a success with a webhook that was disabled meanwhile', async () => {
  await disable();

  expect((await recorded(delivered)).row).toMatchObject({ state: 'delivered' });
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
