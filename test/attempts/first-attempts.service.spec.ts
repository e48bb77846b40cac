import { type EventJob, LEASE_MS } from '#libs/delivery';
import { later, uuidAt } from '#libs/database';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AttemptWorker } from '#test/support/attempt-worker.js';
import { NOW, deferred } from '#test/support/attempts.js';
import { startLedger } from '#test/support/ledger.js';
import type { Receiver } from '#test/support/receiver.js';
import { roundTripsOf } from '#test/support/round-trips.js';

const ledger = await startLedger();
let receiver: Receiver;
let worker: AttemptWorker;
beforeEach(async () => {
  worker = AttemptWorker.ofTest(ledger);
  receiver = await worker.receiver();
});

const deliveries = () => ledger.rows('deliveries', 'webhook_id');

async function express(...webhookIds: readonly string[]): Promise<EventJob> {
  return { eventId: await ledger.outbox(webhookIds, { express: true }) };
}

describe('the first attempts of an event', () => {
  it('share one record statement, and free their slots', async () => {
    const webhookIds = [await worker.webhook(receiver.url), await worker.webhook(receiver.url)];
    const job = await express(...webhookIds);
    const made = await roundTripsOf(async () => expect(await worker.first.run(job)).toEqual([]));

    expect(made).toEqual(['delivery_load_first', 'delivery_secrets', 'delivery_record_first']);
    expect(await deliveries()).toMatchObject(
      webhookIds.map((id) => ({ webhook_id: id, event_id: job.eventId, state: 'delivered', attempts: 1 })),
    );
    expect(await receiver.received(2)).toMatchObject([{ body: '{"number":1}' }, { body: '{"number":1}' }]);
    expect(worker.slots.taken).toBe(0);
  });

  it('continue as owed deliveries when they are late', async () => {
    const held = deferred<void>();
    const slow = await worker.receiver({ replies: [{ status: 204, until: held.promise }] });
    const webhookIds = [await worker.webhook(receiver.url), await worker.webhook(slow.url)];
    const [running, ...others] = await worker.first.run(await express(...webhookIds));

    expect(others).toEqual([]);
    expect(await deliveries()).toMatchObject([
      { state: 'delivered', attempts: 1 },
      { state: 'pending', attempts: 0 },
    ]);
    expect(await ledger.owedRows()).toMatchObject([{ attempts: 0, queued: true, dueAt: later(NOW, LEASE_MS) }]);
    expect(worker.leases.inFlightFor(0)).toMatchObject([{ attempts: 0 }]);

    held.resolve();
    await running!.done;

    expect(await deliveries()).toMatchObject([{ state: 'delivered' }, { state: 'delivered', attempts: 1 }]);
    expect(await ledger.owedRows()).toEqual([]);
  });

  it('stay recorded as running when they throw, so that their leases end', async () => {
    vi.spyOn(worker.attempts, 'attempt').mockRejectedValueOnce(new Error('A bug, which no input causes.'));
    const webhookId = await worker.webhook(receiver.url);
    const [running] = await worker.first.run(await express(webhookId));

    await expect(running!.done).rejects.toThrow('A bug');
    expect(await ledger.owedRows()).toMatchObject([{ attempts: 0, queued: true }]);
    expect(worker.slots.taken).toBe(0);
  });

  it('do not continue when the relay has taken the event', async () => {
    const held = deferred<void>();
    receiver.reply({ status: 204, until: held.promise });
    const work = worker.first.run(await express(await worker.webhook(receiver.url)));
    await receiver.received(1);
    await ledger.sql.query('update outbox set express = false');

    expect(await work).toEqual([]);
    expect(await deliveries()).toEqual([]);
    expect(worker.leases.inFlightFor(0)).toEqual([]);
    held.resolve();
  });

  it('leave a slow receiver to the feeder', async () => {
    const webhookId = await worker.webhook(receiver.url, { slow_until: later(NOW, 1) });
    expect(await worker.first.run(await express(webhookId))).toEqual([]);

    expect(await ledger.owedRows()).toMatchObject([{ attempts: 0, queued: false, dueAt: NOW }]);
    expect(await worker.counts('deliveries_postponed_total')).toEqual({ 'reason="silent"': 1 });
    expect(receiver.requests).toEqual([]);
  });

  it('do not start when the worker stops', async () => {
    worker.slots.close();
    expect(await worker.first.run(await express(await worker.webhook(receiver.url)))).toEqual([]);

    expect(await ledger.owedRows()).toMatchObject([{ attempts: 0, queued: false, dueAt: NOW }]);
    expect(await worker.counts('deliveries_postponed_total')).toEqual({ 'reason="stopping"': 1 });
    expect(receiver.requests).toEqual([]);
  });

  it('start again with a later job', async () => {
    const job = { eventId: uuidAt(NOW) };
    const made = await roundTripsOf(async () => {
      expect(await worker.first.run(job)).toEqual([]);
      expect(await worker.first.run(job)).toEqual([]);
    });

    expect(made.filter((name) => name === 'delivery_load_first')).toHaveLength(2);
  });
});
