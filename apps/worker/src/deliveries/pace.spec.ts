import { describe, expect, it } from 'vitest';
import { Pace } from './pace.js';

/** How many may begin at that moment. */
function begunAt(pace: Pace, now: number): number {
  let begun = 0;
  while (pace.begin(now) === 0) begun += 1;
  return begun;
}

describe('a pace', () => {
  it('lets a few begin at once, and then so many a second', () => {
    const pace = new Pace(1_000);

    expect(begunAt(pace, 10_000)).toBe(8);
    expect(begunAt(pace, 10_005)).toBe(5);
    expect(begunAt(pace, 60_000)).toBe(8);
  });

  it('says when the next may begin', () => {
    const pace = new Pace(500);
    begunAt(pace, 0);

    const wait = pace.begin(0);

    expect(wait).toBeCloseTo(2);
    expect(pace.begin(wait)).toBe(0);
  });
});
