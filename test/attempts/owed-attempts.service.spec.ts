import { LEASE_MS } from '#libs/delivery';
import { later } from '#libs/database';
import { beforeEach, expect, it } from 'vitest';
import { AttemptWorker } from '#test/support/attempt-worker.js';
import { NOW, deferred } from '#test/support/attempts.js';
import { eventually } from '#test/support/eventually.js';
import { startLedger } from '#test/support/ledger.js';
import type { Receiver } from '#test/support/receiver.js';

const leasedUntil = later(NOW, LEASE_MS);

const ledger = await startLedger();
let receiver: Receiver;
let worker: AttemptWorker;
beforeEach(async () => {
  worker = AttemptWorker.ofTest(ledger);
  receiver = await worker.receiver();
});

async function leased() {
  const lease = { attempts: 1, queued: true, dueAt: leasedUntil };
  return { ...(await ledger.owed(await worker.webhook(receiver.url), lease)), leasedUntil };
}

const express = () => worker.slots.acquire('express');

it('keeps the slot until the attempt ends, and the lease until its result is recorded', async () => {
  const held = deferred<void>();
  receiver.reply({ status: 204, until: held.promise });
  const delivery = await leased();
  const run = worker.owed.run(delivery, express());
  await receiver.received(1);
  const inFlight = [{ deliveryId: delivery.deliveryId, attempts: 1 }];
  expect([worker.slots.taken, worker.leases.inFlightFor(0)]).toEqual([1, inFlight]);
  expect(worker.leases.inFlightFor(60_000)).toEqual([]);

  await ledger.sql.query('begin');
  await ledger.sql.query('select from owed_deliveries for update');
  held.resolve();
  await eventually(() => worker.slots.taken === 0);
  expect(worker.leases.inFlightFor(0)).toEqual(inFlight);
  await ledger.sql.query('commit');
  await run;

  expect(await ledger.one('deliveries', delivery.deliveryId)).toMatchObject({ state: 'delivered', attempts: 2 });
  expect(worker.leases.inFlightFor(0)).toEqual([]);
});

it('makes no attempt that is no longer owed, and frees its slot', async () => {
  const delivery = await leased();
  await ledger.sql.query('delete from owed_deliveries');
  await worker.owed.run(delivery, express());

  expect([receiver.requests.length, worker.slots.taken]).toEqual([0, 0]);
  expect(await ledger.one('deliveries', delivery.deliveryId)).toMatchObject({ state: 'pending', attempts: 1 });
});

it('gives the delivery back when the worker stops', async () => {
  await worker.owed.run(await leased(), Promise.resolve(null));

  expect(await ledger.owedRows()).toMatchObject([{ attempts: 1, queued: false, dueAt: NOW }]);
  expect(await worker.counts('deliveries_postponed_total')).toEqual({ 'reason="stopping"': 1 });
  expect(receiver.requests).toEqual([]);
});
