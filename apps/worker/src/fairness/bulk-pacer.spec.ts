import { describe, expect, it } from 'vitest';
import { BulkPacer } from './bulk-pacer.js';

/** How many may begin at that moment. */
function begunAt(pace: BulkPacer, now: number): number {
  let begun = 0;
  while (pace.acquire(now) === 0) begun += 1;
  return begun;
}

describe('a pace', () => {
  it('lets a group begin, and the next one when so many may have begun', () => {
    const pace = new BulkPacer(1_000);
    begunAt(pace, 0);

    expect(begunAt(pace, 16)).toBe(16);
    expect(begunAt(pace, 31)).toBe(0);
    expect(begunAt(pace, 32)).toBe(16);
  });

  it('saves no more than one group for later', () => {
    const pace = new BulkPacer(1_000);
    begunAt(pace, 0);

    expect(begunAt(pace, 60_000)).toBe(32);
  });

  it('keeps to so many a second, whenever it is asked', () => {
    const pace = new BulkPacer(1_000);
    let begun = 0;
    for (let now = 7; now <= 10_000; now += 7) begun += begunAt(pace, now);

    expect(begun).toBeGreaterThan(9_950);
    expect(begun).toBeLessThanOrEqual(10_032);
  });

  it('leaves what a group does not use to those that come later', () => {
    const pace = new BulkPacer(1_000);
    for (let one = 0; one < 3; one++) pace.acquire(1);

    expect(begunAt(pace, 2)).toBe(13);
  });

  it('says when the next may begin', () => {
    const pace = new BulkPacer(500);
    begunAt(pace, 0);

    const wait = pace.acquire(0);

    expect(wait).toBeCloseTo(32);
    expect(begunAt(pace, wait)).toBe(16);
  });
});
