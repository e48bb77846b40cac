import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../durations.js';
import { retryMailAt } from './mail-retry.js';

const now = new Date('2030-01-01T12:00:00Z');
const pauseMs = (result: Parameters<typeof retryMailAt>[0], tries: number, ageMs = 0): number | null => {
  const at = retryMailAt(result, { tries, createdAt: new Date(now.getTime() - ageMs) }, now);
  return at && at.getTime() - now.getTime();
};

describe('the retry of a mail', () => {
  it('waits a minute after the first refusal, then twice as long each time, up to an hour', () => {
    expect([1, 2, 3, 6, 7, 20].map((tries) => pauseMs('refused', tries))).toEqual(
      [1, 2, 4, 32, 60, 60].map((minutes) => minutes * MINUTE_MS),
    );
  });

  it('is given up after a day', () => {
    expect(pauseMs('refused', 9, DAY_MS)).toBe(HOUR_MS);
    expect(pauseMs('refused', 9, DAY_MS + 1)).toBeNull();
  });

  it.each(['sent', 'unsure', 'no_server'] as const)('does not happen when the result was %s', (result) => {
    expect(pauseMs(result, 1)).toBeNull();
  });
});
