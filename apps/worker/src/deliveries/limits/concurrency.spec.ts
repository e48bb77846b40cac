import { describe, expect, it } from 'vitest';
import { type ConcurrencyInput, nextConcurrency } from './concurrency.js';

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

describe('the bulk concurrency', () => {
  it('grows to the maximum while receivers are the bottleneck', () => {
    expect(settle({ stepMs: 5 })).toBe(400);
  });

  it('stays the same while it is not used', () => {
    expect(nextConcurrency(load({ inFlight: 10 }))).toBe(100);
  });

  it('falls to the minimum while our own steps are the bottleneck', () => {
    expect(settle({ stepMs: 80 })).toBe(32);
  });

  it('falls earlier beside express', () => {
    expect(settle({ stepMs: 20, isMixed: false })).toBe(400);
    expect(settle({ stepMs: 20, isMixed: true })).toBe(16);
  });

  it('never exceeds what the operator has set, however little that is', () => {
    expect(nextConcurrency(load({ current: 3, inFlight: 3, max: 3 }))).toBe(3);
    expect(nextConcurrency(load({ current: 3, inFlight: 3, max: 3, stepMs: 100 }))).toBe(3);
  });
});
