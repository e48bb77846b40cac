import { setImmediate as nextTurn } from 'node:timers/promises';
import type { QueueKind } from '#libs/webhooks';
import { expect, it, vi } from 'vitest';
import { NOW, deferred } from '../../../../../test/support/attempts.js';
import { DeliverySlotLimiter, type Slot } from '../limits/delivery-slot-limiter.js';
import { AttemptRunner } from './attempt-runner.js';
import type { LeasedDelivery } from './due-delivery.js';

type OwedRun = (leased: LeasedDelivery, turn: Promise<Slot | null>) => Promise<void>;

const never = new Promise<void>(() => undefined);

function newRunner({
  first = async (_eventId: string): Promise<Promise<void>[]> => [],
  owed = (async () => undefined) as OwedRun,
  abandonAll = () => undefined as void,
  concurrency = 4,
}) {
  const slots = new DeliverySlotLimiter({ WORKER_CONCURRENCY: concurrency });
  const interrupted = vi.fn<(what: string, error: unknown) => void>();
  const acquire = vi.spyOn(slots, 'acquire');
  const runner = new AttemptRunner({ run: first } as never, { run: owed } as never, { abandonAll } as never, slots, {
    interrupted,
  } as never);
  return { runner, slots, interrupted, acquire };
}

const group = (...ids: string[]) => ({
  leasedUntil: NOW,
  deliveries: ids.map((deliveryId) => ({ deliveryId, eventId: 'event', attempts: 1 })),
});

/** The milliseconds until the work ends. */
async function timeOf(work: Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work;
  return performance.now() - startedAt;
}

it('ends the job of an event while late attempts continue, and drains those', async () => {
  const late = deferred<void>();
  const events: string[] = [];
  const { runner } = newRunner({ first: async (eventId) => (events.push(eventId), [late.promise]) });
  await runner.run({ eventId: 'event' }, 'express');
  let isDrained = false;
  const drained = runner.drain(10_000).then((isIdle) => ((isDrained = true), isIdle));
  await nextTurn();
  expect([events, isDrained]).toEqual([['event'], false]);

  late.resolve();

  expect(await timeOf(drained)).toBeLessThan(1_000);
  expect(await drained).toBe(true);
});

it.each<QueueKind>(['express', 'bulk'])('runs each delivery of a %s group with a slot of its own', async (kind) => {
  const runs: unknown[] = [];
  const { runner, acquire } = newRunner({
    owed: async (leased, turn) => void runs.push({ ...leased, slot: (await turn)?.queueKind }),
  });
  await runner.run(group('a', 'b'), kind);

  expect(runs).toEqual(
    ['a', 'b'].map((deliveryId) => ({ deliveryId, eventId: 'event', attempts: 1, leasedUntil: NOW, slot: kind })),
  );
  expect(acquire.mock.calls).toEqual([[kind], [kind]]);
});

it('ends the job of a group half a second after it has its slots', async () => {
  const { runner } = newRunner({ owed: () => never });
  const ms = await timeOf(runner.run(group('a'), 'express'));

  expect(ms).toBeGreaterThan(450);
  expect(ms).toBeLessThan(2_000);
});

it('keeps the job of a group while a delivery waits for its slot', async () => {
  const { runner, slots } = newRunner({ owed: () => never, concurrency: 1 });
  const held = await slots.acquire('express');
  let isDone = false;
  const job = runner.run(group('a'), 'express').then(() => (isDone = true));
  await nextTurn();
  expect(isDone).toBe(false);
  slots.release(held!);
  await job;

  expect(isDone).toBe(true);
});

it('logs what fails, and never rejects', async () => {
  const error = new Error('broken');
  const { runner, interrupted } = newRunner({
    first: () => Promise.reject(error),
    owed: () => Promise.reject(error),
  });
  await runner.run({ eventId: 'event' }, 'express');
  await runner.run(group('a'), 'bulk');

  const call = ['an attempt was not completed', error];
  expect(interrupted.mock.calls).toEqual([call, call]);
});

it('drains at once when nothing runs, and refuses further slots', async () => {
  const { runner, slots } = newRunner({});

  expect(await timeOf(runner.drain(10_000))).toBeLessThan(500);
  expect(await slots.acquire('express')).toBeNull();
});

it('abandons attempts two seconds before the end, and waits for their results', async () => {
  const running = deferred<void>();
  const abandonAll = vi.fn<() => void>(() => running.resolve());
  const { runner } = newRunner({ first: () => running.promise.then(() => []), abandonAll });
  void runner.run({ eventId: 'event' }, 'express');
  const drained = runner.drain(2_200);
  await nextTurn();
  expect(abandonAll).not.toHaveBeenCalled();

  expect(await timeOf(drained)).toBeLessThan(700);
  expect(await drained).toBe(true);
});

it('reports attempts that did not end a second later', async () => {
  const { runner } = newRunner({ first: () => never as never });
  void runner.run({ eventId: 'event' }, 'express');
  const drained = runner.drain(2_000);
  const ms = await timeOf(drained);

  expect(await drained).toBe(false);
  expect(ms).toBeGreaterThan(900);
  expect(ms).toBeLessThan(1_800);
});
