import { describe, expect, it } from 'vitest';
import { BulkPacer, type ConcurrencyInput, nextConcurrency } from './delivery-slot-limiter.js';

const load = (changes: Partial<ConcurrencyInput>): ConcurrencyInput => ({
  current: 100,
  inFlight: 100,
  stepMs: 5,
  isMixed: false,
  max: 400,
  ...changes,
});

function settle(changes: Partial<ConcurrencyInput>): number {
  let current = 100;
  for (let round = 0; round < 100; round++)
    current = nextConcurrency(load({ ...changes, current, inFlight: changes.inFlight ?? current }));
  return current;
}

describe('nextConcurrency', () => {
  it('grows to the maximum while receivers are the bottleneck', () => {
    expect(settle({ stepMs: 5 })).toBe(400);
  });

  it('does not change while it is not used', () => {
    expect(nextConcurrency(load({ inFlight: 10 }))).toBe(100);
  });

  it('falls to the minimum while our own steps are the bottleneck', () => {
    expect(settle({ stepMs: 80 })).toBe(32);
  });

  it('falls earlier with express traffic', () => {
    expect(settle({ stepMs: 20, isMixed: false })).toBe(400);
    expect(settle({ stepMs: 20, isMixed: true })).toBe(16);
  });

  it('never exceeds the setting of the operator, however low', () => {
    expect(nextConcurrency(load({ current: 3, inFlight: 3, max: 3 }))).toBe(3);
    expect(nextConcurrency(load({ current: 3, inFlight: 3, max: 3, stepMs: 100 }))).toBe(3);
  });
});

/** The number of deliveries that may start at that moment. */
function begunAt(pace: BulkPacer, now: number): number {
  let begun = 0;
  while (pace.acquire(now) === 0) begun += 1;
  return begun;
}

describe('BulkPacer', () => {
  it('starts one group, and the next after the interval', () => {
    const pace = new BulkPacer(1_000);
    begunAt(pace, 0);

    expect(begunAt(pace, 16)).toBe(16);
    expect(begunAt(pace, 31)).toBe(0);
    expect(begunAt(pace, 32)).toBe(16);
  });

  it('saves up at most one group', () => {
    const pace = new BulkPacer(1_000);
    begunAt(pace, 0);

    expect(begunAt(pace, 60_000)).toBe(32);
  });

  it('keeps to the rate, however often it is asked', () => {
    const pace = new BulkPacer(1_000);
    let begun = 0;
    for (let now = 7; now <= 10_000; now += 7) begun += begunAt(pace, now);

    expect(begun).toBeGreaterThan(9_950);
    expect(begun).toBeLessThanOrEqual(10_032);
  });

  it('leaves the rest of a group to later deliveries', () => {
    const pace = new BulkPacer(1_000);
    for (let one = 0; one < 3; one++) pace.acquire(1);

    expect(begunAt(pace, 2)).toBe(13);
  });

  it('returns how long until the next delivery may start', () => {
    const pace = new BulkPacer(500);
    begunAt(pace, 0);

    const wait = pace.acquire(0);

    expect(wait).toBeCloseTo(32);
    expect(begunAt(pace, wait)).toBe(16);
  });
});
