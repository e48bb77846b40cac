import { describe, expect, it, vi } from 'vitest';
import { DeliverySlotLimiter } from './delivery-slot-limiter.js';

const slotsFor = (concurrency: number): DeliverySlotLimiter =>
  new DeliverySlotLimiter({ WORKER_CONCURRENCY: concurrency });

/** The answers so far, in the order of the requests. */
async function asking(
  slots: DeliverySlotLimiter,
  queueKind: 'express' | 'bulk',
  count: number,
): Promise<(boolean | undefined)[]> {
  const answers: (boolean | undefined)[] = Array.from({ length: count }, () => undefined);
  for (let place = 0; place < count; place++) void slots.acquire(queueKind).then((answer) => (answers[place] = answer));
  await Promise.resolve();
  await Promise.resolve();
  return answers;
}

const admitted = (answers: readonly (boolean | undefined)[]): number => answers.filter(Boolean).length;

describe('DeliverySlotLimiter', () => {
  it('admits deliveries up to the concurrency, and another when a slot is released', async () => {
    const slots = slotsFor(20);

    const answers = await asking(slots, 'bulk', 45);

    expect(admitted(answers)).toBe(20);
    slots.release();
    await Promise.resolve();
    expect(admitted(answers)).toBe(21);
  });

  it('admits express before waiting bulk', async () => {
    const slots = slotsFor(2);
    await asking(slots, 'bulk', 2);
    const bulk = await asking(slots, 'bulk', 1);
    const express = await asking(slots, 'express', 1);

    slots.release();
    await Promise.resolve();

    expect([admitted(bulk), admitted(express)]).toEqual([0, 1]);
  });

  it('adds a slot for each slow request', async () => {
    const slots = slotsFor(4);
    const answers = await asking(slots, 'bulk', 10);

    slots.adjust(3);
    await Promise.resolve();

    expect(admitted(answers)).toBe(7);
  });

  it('admits bulk at a limited rate with express traffic, and at once otherwise', async () => {
    const [mixed, alone] = [slotsFor(400), slotsFor(400)];
    await asking(mixed, 'express', 1);

    const beside = await asking(mixed, 'bulk', 90);

    expect(admitted(beside)).toBeLessThan(45);
    expect(admitted(await asking(alone, 'bulk', 90))).toBe(90);
    await vi.waitFor(() => expect(admitted(beside)).toBe(90));
  });

  it('requests no more bulk while enough is waiting', async () => {
    const slots = slotsFor(20);
    expect(slots.wantsBulk).toBe(true);

    await asking(slots, 'bulk', 40);

    expect(slots.wantsBulk).toBe(false);
  });

  it('refuses waiting deliveries when the worker stops', async () => {
    const slots = slotsFor(1);
    await asking(slots, 'express', 1);
    const waiting = await asking(slots, 'bulk', 1);

    slots.close();
    await Promise.resolve();

    expect(waiting).toEqual([false]);
  });
});
