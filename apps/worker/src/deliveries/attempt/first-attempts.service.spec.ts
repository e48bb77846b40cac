import { afterEach, describe, expect, it, vi } from 'vitest';
import { aDelivery, aFinishedAttempt, deferred } from '../../../../../test/support/attempts.js';
import { DeliverySlotLimiter } from '../limits/delivery-slot-limiter.js';
import { type AttemptResult, type DueDelivery, STOPPING } from './due-delivery.js';
import { FirstAttemptsService, waitAtMost } from './first-attempts.service.js';

interface Recorded {
  readonly delivery: DueDelivery;
  readonly result: AttemptResult | undefined;
}

const slots = new DeliverySlotLimiter({ WORKER_CONCURRENCY: 2 });
afterEach(() => void vi.useRealTimers());

function newService(
  deliveries: readonly DueDelivery[],
  attempt: (delivery: DueDelivery) => Promise<AttemptResult>,
  { isRecorded = true, limiter = slots } = {},
) {
  const recorded: Recorded[][] = [];
  const continued: { delivery: DueDelivery; result: AttemptResult }[] = [];
  const loads: string[] = [];
  const service = new FirstAttemptsService(
    { loadFirst: async (id: string) => (loads.push(id), deliveries) } as never,
    { attempt } as never,
    { recordFirst: async (_id: string, results: Recorded[]) => (recorded.push(results), isRecorded) } as never,
    {
      continue: async (delivery: DueDelivery, running: () => Promise<AttemptResult>) =>
        void continued.push({ delivery, result: await running() }),
    } as never,
    limiter,
  );
  return { service, recorded, continued, loads };
}

describe('the first attempts of an event', () => {
  it('records all results together and frees their slots', async () => {
    const deliveries = [aDelivery(), aDelivery(), aDelivery()];
    const results = deliveries.map((delivery) => ({ delivery, result: aFinishedAttempt(delivery) }));
    const { service, recorded } = newService(deliveries, async (delivery) => aFinishedAttempt(delivery));

    expect(await service.run('event')).toEqual([]);
    expect(recorded).toEqual([results]);
    expect(slots.taken).toBe(0);
  });

  it('records late attempts as running and continues them as owed deliveries', async () => {
    const [prompt, late] = [aDelivery(), aDelivery()];
    const slow = deferred<AttemptResult>();
    const { service, recorded, continued } = newService([prompt, late], (delivery) =>
      delivery === prompt ? Promise.resolve(aFinishedAttempt(prompt)) : slow.promise,
    );
    const startedAt = performance.now();
    const running = await service.run('event');

    expect(performance.now() - startedAt).toBeGreaterThan(400);
    expect(recorded).toEqual([
      [
        { delivery: prompt, result: aFinishedAttempt(prompt) },
        { delivery: late, result: undefined },
      ],
    ]);
    expect(running).toHaveLength(1);
    expect(continued).toEqual([]);

    slow.resolve(aFinishedAttempt(late));
    await running[0];

    expect(continued).toEqual([{ delivery: late, result: aFinishedAttempt(late) }]);
  });

  it('records attempts that throw as running, so that their leases end', async () => {
    const broken = aDelivery();
    const { service, recorded } = newService([broken], () => Promise.reject(new Error('No such key.')));
    const [running] = await service.run('event');

    expect(recorded).toEqual([[{ delivery: broken, result: undefined }]]);
    await expect(running).rejects.toThrow('No such key.');
    expect(slots.taken).toBe(0);
  });

  it('do not continue when the event has left the outbox', async () => {
    const { service, continued } = newService([aDelivery()], () => Promise.reject(new Error('late')), {
      isRecorded: false,
    });

    expect(await service.run('event')).toEqual([]);
    expect(continued).toEqual([]);
  });

  it('sends nothing to a slow receiver', async () => {
    const { service, recorded } = newService([aDelivery({ isSlow: true })], () => Promise.reject(new Error('sent')));
    expect(await service.run('event')).toEqual([]);

    expect(recorded[0]).toMatchObject([{ result: { reason: 'silent', forMs: 0 } }]);
  });

  it('sends nothing when the worker stops', async () => {
    const limiter = new DeliverySlotLimiter({ WORKER_CONCURRENCY: 1 });
    limiter.close();
    const { service, recorded } = newService([aDelivery()], () => Promise.reject(new Error('sent')), { limiter });
    expect(await service.run('event')).toEqual([]);

    expect(recorded[0]).toMatchObject([{ result: STOPPING }]);
  });

  it('runs an event once while a second job names it, and again afterwards', async () => {
    const { service, loads } = newService([], () => Promise.reject(new Error('sent')));

    expect(await Promise.all([service.run('event'), service.run('event'), service.run('other')])).toEqual([[], [], []]);
    expect(loads).toEqual(['event', 'other']);
    expect(await service.run('event')).toEqual([]);
    expect(loads).toEqual(['event', 'other', 'event']);
  });
});

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

describe('waitAtMost', () => {
  it('ends with the work', async () => {
    const startedAt = performance.now();
    await waitAtMost(10_000, Promise.resolve());

    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  it('ends with the time', async () => {
    const startedAt = performance.now();
    await waitAtMost(50, new Promise(() => undefined));

    expect(performance.now() - startedAt).toBeGreaterThan(40);
  });

  it('fails with the work', async () => {
    await expect(waitAtMost(10_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  it('leaves no timer', async () => {
    const before = timers();
    await waitAtMost(10_000, Promise.resolve());

    expect(timers()).toBe(before);
  });
});
