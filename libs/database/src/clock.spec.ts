import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DatabaseClock } from './clock.js';

const HERE = new Date('2030-01-01T12:00:00.000Z');
const AHEAD_MS = 4_000;

let clock: DatabaseClock;

beforeEach(() => {
  vi.useFakeTimers({ now: HERE });
  clock = new DatabaseClock();
});
afterEach(() => vi.useRealTimers());

/** PostgreSQL reads its clock, which is behind this machine, in the middle of the round trip. */
function read(tookMs: number, aheadMs = AHEAD_MS): void {
  const askedAt = performance.now();
  vi.advanceTimersByTime(tookMs / 2);
  const databaseNow = new Date(Date.now() - aheadMs);
  vi.advanceTimersByTime(tookMs / 2);
  clock.follow({ databaseNow, askedAt, answeredAt: performance.now() });
}

it('uses the time of the machine before the first reading', () => {
  expect(clock.now()).toEqual(HERE);
  expect(clock.skewMs).toBeUndefined();
});

it('uses the time of PostgreSQL and knows how far the machine is ahead', () => {
  read(20);

  expect(clock.now().getTime()).toBe(Date.now() - AHEAD_MS);
  expect(clock.skewMs).toBe(AHEAD_MS);
});

it('advances evenly when the clock of the machine is set', () => {
  read(20);
  const before = clock.now().getTime();

  vi.advanceTimersByTime(500);
  vi.setSystemTime(HERE.getTime() + 3_600_000);

  expect(clock.now().getTime()).toBe(before + 500);
});

it('ignores a slow reading unless it is the first', () => {
  read(5_000, 3_000);
  expect(clock.skewMs).toBe(3_000);

  read(5_000, 9_000);
  expect(clock.skewMs).toBe(3_000);

  read(10, 9_000);
  expect(clock.skewMs).toBe(9_000);
});

it('uses the time of the machine while it lies within the precision of the reading', () => {
  read(400, 150);
  expect(clock.now().getTime()).toBe(Date.now());
  expect(clock.skewMs).toBe(0);

  read(200, 150);
  expect(clock.skewMs).toBe(150);
});

it('keeps its time while a later reading is too imprecise to contradict it', () => {
  read(20);
  read(400, AHEAD_MS + 150);
  expect(clock.skewMs).toBe(AHEAD_MS);

  read(200, AHEAD_MS + 150);
  expect(clock.skewMs).toBe(AHEAD_MS + 150);
});
