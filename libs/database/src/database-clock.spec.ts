import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DatabaseClock } from './database-clock.js';

const HERE = new Date('2030-01-01T12:00:00.000Z');
const AHEAD_MS = 4_000;

let clock: DatabaseClock;

beforeEach(() => {
  vi.useFakeTimers({ now: HERE });
  clock = new DatabaseClock();
});
afterEach(() => vi.useRealTimers());

/** PostgreSQL is behind this machine, and says so in the middle of the time that it takes. */
function ask(tookMs: number, aheadMs = AHEAD_MS): void {
  const askedAt = performance.now();
  vi.advanceTimersByTime(tookMs / 2);
  const databaseNow = new Date(Date.now() - aheadMs);
  vi.advanceTimersByTime(tookMs / 2);
  clock.follow({ databaseNow, askedAt, answeredAt: performance.now() });
}

it('is that of the machine until PostgreSQL was asked', () => {
  expect(clock.now()).toEqual(HERE);
  expect(clock.skewMs).toBeUndefined();
});

it('is that of PostgreSQL then, and knows how far the machine is ahead', () => {
  ask(20);

  expect(clock.now().getTime()).toBe(Date.now() - AHEAD_MS);
  expect(clock.skewMs).toBe(AHEAD_MS);
});

it('goes on evenly when the clock of the machine is set', () => {
  ask(20);
  const before = clock.now().getTime();

  vi.advanceTimersByTime(500);
  vi.setSystemTime(HERE.getTime() + 3_600_000);

  expect(clock.now().getTime()).toBe(before + 500);
});

it('does not believe an answer that took long, unless it has no other', () => {
  ask(5_000, 3_000);
  expect(clock.skewMs).toBe(3_000);

  ask(5_000, 9_000);
  expect(clock.skewMs).toBe(3_000);

  ask(10, 9_000);
  expect(clock.skewMs).toBe(9_000);
});

it('is that of the machine as long as that one may be right', () => {
  ask(400, 150);
  expect(clock.now().getTime()).toBe(Date.now());
  expect(clock.skewMs).toBe(0);

  ask(200, 150);
  expect(clock.skewMs).toBe(150);
});
