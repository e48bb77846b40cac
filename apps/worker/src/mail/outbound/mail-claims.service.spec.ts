import { later } from '#libs/database';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../durations.js';
import { nextTryAt } from './mail-claims.service.js';

const queuedAt = new Date('2030-01-01T12:00:00Z');
const pauseMs = (tries: number, ageMs = 0): number | undefined => {
  const now = later(queuedAt, ageMs);
  const at = nextTryAt({ tries, queuedAt }, now);
  return at ? at.getTime() - now.getTime() : undefined;
};

describe('the retry of a rejected mail', () => {
  it.each([
    [1, MINUTE_MS],
    [2, 2 * MINUTE_MS],
    [8, 128 * MINUTE_MS],
    [9, 4 * HOUR_MS],
    [1000, 4 * HOUR_MS],
  ])('follows attempt %i after %i ms', (tries, expected) => {
    expect(pauseMs(tries)).toBe(expected);
  });

  it('stops after three days', () => {
    expect(pauseMs(20, 3 * DAY_MS - 4 * HOUR_MS)).toBe(4 * HOUR_MS);
    expect(pauseMs(20, 3 * DAY_MS - 4 * HOUR_MS + 1)).toBeUndefined();
  });

  it('happens about twenty-five times in three days', () => {
    let tries = 0;
    for (let ageMs = 0, pause = 0; pause !== undefined; ageMs += pause ?? 0) {
      tries += 1;
      pause = pauseMs(tries, ageMs)!;
    }
    expect(tries).toBe(25);
  });
});
