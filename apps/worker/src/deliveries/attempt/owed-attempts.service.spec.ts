import type { AttemptRef } from '#libs/webhooks';
import { beforeEach, expect, it } from 'vitest';
import { NOW, aDelivery, aFinishedAttempt } from '../../../../../test/support/attempts.js';
import { DeliverySlotLimiter } from '../limits/delivery-slot-limiter.js';
import { LeasesService } from '../queue/leases.service.js';
import { type AttemptResult, type DueDelivery, STOPPING } from './due-delivery.js';
import { OwedAttemptsService } from './owed-attempts.service.js';

const slots = new DeliverySlotLimiter({ WORKER_CONCURRENCY: 4 });
const leases = new LeasesService({} as never, {} as never, {} as never);
const delivery = aDelivery({ attempts: 1 });
const leased = { deliveryId: delivery.deliveryId, eventId: 'event', attempts: 1, leasedUntil: NOW };

let loaded: DueDelivery | undefined;
let whileRunning: { leases: AttemptRef[]; slots: number } | undefined;
let recorded: { ref: AttemptRef; result: AttemptResult; slots: number; leases: number }[];
beforeEach(() => {
  [loaded, whileRunning, recorded] = [delivery, undefined, []];
});

const service = new OwedAttemptsService(
  { load: async () => loaded } as never,
  {
    attempt: async (due: DueDelivery) => {
      whileRunning = { leases: leases.inFlightFor(0), slots: slots.taken };
      return aFinishedAttempt(due);
    },
  } as never,
  {
    record: async (ref: AttemptRef, result: AttemptResult) =>
      void recorded.push({ ref, result, slots: slots.taken, leases: leases.inFlightFor(0).length }),
  } as never,
  slots,
  leases,
);

it('keeps the lease until the result is recorded, and the slot until the attempt ends', async () => {
  await service.run(leased, slots.acquire('express'));

  expect(whileRunning).toEqual({ leases: [{ deliveryId: delivery.deliveryId, attempts: 1 }], slots: 1 });
  expect(recorded).toEqual([{ ref: leased, result: aFinishedAttempt(delivery), slots: 0, leases: 1 }]);
  expect([slots.taken, leases.inFlightFor(0)]).toEqual([0, []]);
});

it('makes no attempt that is no longer owed, and frees its slot', async () => {
  loaded = undefined;
  await service.run(leased, slots.acquire('express'));

  expect([recorded, whileRunning, slots.taken]).toEqual([[], undefined, 0]);
});

it('gives the delivery back when the worker stops', async () => {
  await service.run(leased, Promise.resolve(null));

  expect(recorded).toMatchObject([{ ref: leased, result: STOPPING }]);
  expect(whileRunning).toBeUndefined();
});

it('does not start a delivery that is in flight', async () => {
  await Promise.all([service.run(leased, slots.acquire('bulk')), service.run(leased, slots.acquire('bulk'))]);

  expect(recorded).toHaveLength(1);
  expect(slots.taken).toBe(0);
});
