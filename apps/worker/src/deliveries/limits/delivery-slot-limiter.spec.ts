import type { QueueKind } from '#libs/delivery';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { availableCores } from '../../available-cores.js';
import { DeliverySlotLimiter, type Slot } from './delivery-slot-limiter.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

const slotsFor = (concurrency: number): DeliverySlotLimiter =>
  new DeliverySlotLimiter({ WORKER_CONCURRENCY: concurrency });

/** The responses so far. */
async function acquire(slots: DeliverySlotLimiter, kind: QueueKind, count: number): Promise<(Slot | null)[]> {
  const answers: (Slot | null)[] = [];
  for (let one = 0; one < count; one++) void slots.acquire(kind).then((slot) => answers.push(slot));
  await settled();
  return answers;
}

/** Bulk deliveries that may start in a tick beside express. */
const group = (400 * availableCores()) / 50;

const settled = () => new Promise((resolve) => setImmediate(resolve));

async function pass(ms: number): Promise<void> {
  vi.advanceTimersByTime(ms);
  await settled();
}

describe('DeliverySlotLimiter', () => {
  it('admits deliveries up to the concurrency, and another when a slot is released', async () => {
    const slots = slotsFor(20);
    const admitted = await acquire(slots, 'express', 45);
    expect(admitted).toHaveLength(20);

    slots.release(admitted[0]!);
    await settled();

    expect(admitted).toHaveLength(21);
  });

  it('leaves express a tenth of the slots', async () => {
    const slots = slotsFor(20);

    expect(await acquire(slots, 'bulk', 45)).toHaveLength(18);
    expect(await acquire(slots, 'express', 45)).toHaveLength(2);
  });

  it('admits at most 40 bulk deliveries for each core at once beside express', async () => {
    const slots = slotsFor(10_000);
    await acquire(slots, 'express', 1);
    const bulk = await acquire(slots, 'bulk', 100 * group);
    await pass(480);
    expect(bulk).toHaveLength(5 * group);

    for (const slot of bulk.slice(0, 3)) slots.release(slot!);
    await settled();

    expect(bulk).toHaveLength(5 * group + 3);
  });

  it('admits one bulk delivery at a time to a single slot', async () => {
    expect(await acquire(slotsFor(1), 'bulk', 2)).toHaveLength(1);
  });

  it('admits express before bulk that waits longer', async () => {
    const slots = slotsFor(2);
    const [first] = await acquire(slots, 'express', 2);
    const bulk = await acquire(slots, 'bulk', 1);
    const express = await acquire(slots, 'express', 1);

    slots.release(first!);
    await settled();

    expect([bulk.length, express.length]).toEqual([0, 1]);
  });

  it('counts a delivery for half a second', async () => {
    const slots = slotsFor(4);
    const admitted = await acquire(slots, 'express', 10);

    await pass(480);
    expect(admitted).toHaveLength(4);
    await pass(20);
    expect(admitted).toHaveLength(8);
    for (const slot of admitted.slice(0, 4)) slots.release(slot!);
    await settled();
    expect(admitted).toHaveLength(8);
  });

  it('counts the half second from the start of each delivery', async () => {
    const slots = slotsFor(4);
    await pass(480);
    const admitted = await acquire(slots, 'express', 10);

    await pass(480);
    expect(admitted).toHaveLength(4);
    await pass(20);
    expect(admitted).toHaveLength(8);
  });

  it('frees a slot that is released twice once', async () => {
    const slots = slotsFor(4);
    const [slow] = await acquire(slots, 'express', 3);
    await pass(500);
    await acquire(slots, 'bulk', 2);
    const [prompt] = await acquire(slots, 'express', 1);
    expect(slots.taken).toBe(6);

    for (const slot of [slow, slow]) slots.release(slot!);
    expect(slots.taken).toBe(5);
    for (const slot of [prompt, prompt]) slots.release(slot!);
    expect(slots.taken).toBe(4);
  });

  it('counts slow deliveries above 2,000', async () => {
    const slots = slotsFor(1_500);
    await acquire(slots, 'express', 1_500);
    await pass(500);
    const second = await acquire(slots, 'express', 1_500);
    await pass(500);
    const third = await acquire(slots, 'express', 1_500);

    expect([second.length, third.length]).toEqual([1_500, 500]);
  });

  it('admits 400 bulk deliveries a second for each core beside express, in groups of a fiftieth', async () => {
    const slots = slotsFor(400);
    await acquire(slots, 'express', 1);
    const bulk = await acquire(slots, 'bulk', 200 * group);
    const releaseAll = () => bulk.splice(0).forEach((slot) => slots.release(slot!));
    const groups: number[] = [];
    for (let tick = 0; tick < 100; tick++) {
      groups.push(bulk.length);
      releaseAll();
      await pass(20);
    }

    expect(groups).toEqual(groups.map(() => group));
    expect(bulk.length).toBeGreaterThan(group);
  });

  it('admits bulk up to its share at once without express', async () => {
    expect(await acquire(slotsFor(400), 'bulk', 400)).toHaveLength(360);
  });

  it('paces bulk until two seconds after the last express', async () => {
    const slots = slotsFor(400);
    await pass(1_000);
    await acquire(slots, 'express', 1);
    await pass(1_980);
    const bulk = await acquire(slots, 'bulk', 400);
    expect(bulk).toHaveLength(group);

    await pass(20);

    expect(bulk).toHaveLength(360);
  });

  it('takes no more bulk while some waits', async () => {
    const slots = slotsFor(4);
    const bulk = await acquire(slots, 'bulk', 3);
    expect(slots.wantsBulk).toBe(true);
    await acquire(slots, 'bulk', 1);
    expect(slots.wantsBulk).toBe(false);

    slots.release(bulk[0]!);

    expect(slots.wantsBulk).toBe(true);
  });

  it('refuses waiting and new deliveries when the worker stops', async () => {
    const slots = slotsFor(1);
    await acquire(slots, 'express', 1);
    const waiting = await acquire(slots, 'bulk', 1);

    slots.close();

    expect(await acquire(slots, 'express', 1)).toEqual([null]);
    expect(waiting).toEqual([null]);
  });
});
