import { setImmediate as nextTurn } from 'node:timers/promises';
import { later } from '#libs/database';
import { LEASE_MS, type QueueKind } from '#libs/delivery';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AttemptWorker } from '#test/support/attempt-worker.js';
import { NOW, deferred } from '#test/support/attempts.js';
import { startLedger } from '#test/support/ledger.js';
import type { Receiver } from '#test/support/receiver.js';

const leasedUntil = later(NOW, LEASE_MS);

const ledger = await startLedger();
let receiver: Receiver;
let worker: AttemptWorker;
let held: ReturnType<typeof deferred<void>>;
beforeEach(async () => {
  held = deferred();
  worker = AttemptWorker.ofTest(ledger, { WORKER_CONCURRENCY: '2' });
  receiver = await worker.receiver();
});

const hold = () => receiver.reply({ status: 204, until: held.promise });

async function anEvent() {
  return { eventId: await ledger.outbox([await worker.webhook(receiver.url)], { express: true }) };
}

async function aGroup(count: number) {
  const webhookId = await worker.webhook(receiver.url);
  const lease = { queued: true, dueAt: leasedUntil };
  const deliveries = [];
  for (let one = 0; one < count; one++) deliveries.push(await ledger.owed(webhookId, lease));
  return { leasedUntil, deliveries };
}

const states = async () => (await ledger.rows('deliveries', 'id')).map(({ state }) => state);

describe('run', () => {
  it.each<QueueKind>(['express', 'bulk'])('makes each attempt of a %s group in a slot of its own', async (kind) => {
    const acquire = vi.spyOn(worker.slots, 'acquire');
    await worker.runner.run(await aGroup(2), kind);

    expect(await states()).toEqual(['delivered', 'delivered']);
    expect(acquire.mock.calls).toEqual([[kind], [kind]]);
  });

  it('ends the job of a group while attempts that have their slots continue', async () => {
    hold();
    await worker.runner.run(await aGroup(1), 'express');
    expect(await states()).toEqual(['pending']);

    held.resolve();

    expect(await worker.runner.drain(10_000)).toBe(true);
    expect(await states()).toEqual(['delivered']);
  });

  it('keeps the job of a group while a delivery waits for its slot', async () => {
    const slots = [await worker.slots.acquire('express'), await worker.slots.acquire('express')];
    let isDone = false;
    const job = worker.runner.run(await aGroup(1), 'express').then(() => (isDone = true));
    await nextTurn();
    expect(isDone).toBe(false);
    worker.slots.release(slots[0]!);
    await job;

    expect(await states()).toEqual(['delivered']);
  });

  it('makes each attempt once while a second job names it', async () => {
    hold();
    const event = await anEvent();
    const group = await aGroup(1);
    const jobs = [event, event, group, group].map((job) => worker.runner.run(job, 'express'));
    await receiver.received(2);
    held.resolve();
    await Promise.all(jobs);

    expect(receiver.requests).toHaveLength(2);
    expect(await worker.runner.drain(10_000)).toBe(true);
    expect(worker.slots.taken).toBe(0);
  });

  it('logs a kind of failure once a minute, and never rejects', async () => {
    await worker.runner.run({ eventId: 'no id' }, 'express');
    await worker.runner.run({ leasedUntil, deliveries: [{ deliveryId: 'no id', eventId: '', attempts: 0 }] }, 'bulk');

    const line = { level: 40, msg: 'an attempt was not completed', err: { message: expect.stringContaining('uuid') } };
    expect(worker.lines).toMatchObject([line]);
  });
});

describe('drain', () => {
  it('waits for late attempts of an event whose job has ended', async () => {
    hold();
    await worker.runner.run(await anEvent(), 'express');
    let isDrained = false;
    const drained = worker.runner.drain(10_000).then((isIdle) => ((isDrained = true), isIdle));
    await nextTurn();
    expect(isDrained).toBe(false);

    held.resolve();

    expect(await drained).toBe(true);
    expect(await states()).toEqual(['delivered']);
  });

  it('ends at once when nothing runs, and refuses further slots', async () => {
    expect(await worker.runner.drain(60_000)).toBe(true);
    expect(await worker.slots.acquire('express')).toBeNull();
  });

  it('abandons attempts two seconds before the end, and gives them back', async () => {
    hold();
    const job = worker.runner.run(await aGroup(1), 'express');
    await receiver.received(1);
    const startedAt = performance.now();

    expect(await worker.runner.drain(2_100)).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(2_100);
    await job;
    expect(await ledger.owedRows()).toMatchObject([{ attempts: 0, queued: false, dueAt: NOW }]);
  });

  it('reports attempts whose results are not recorded a second later', async () => {
    const group = await aGroup(1);
    await ledger.sql.query('begin');
    await ledger.sql.query('select from owed_deliveries for update');
    const job = worker.runner.run(group, 'express');
    await receiver.received(1);
    const startedAt = performance.now();
    expect(await worker.runner.drain(2_000)).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    await ledger.sql.query('commit');
    await job;

    expect(await worker.runner.drain(10_000)).toBe(true);
  });
});
