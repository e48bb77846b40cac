import { describe, expect, it } from 'vitest';
import { HostPace } from './host-pace.js';

const PER_SECOND = 200;
const start = (perSecond = PER_SECOND): HostPace => new HostPace({ perSecond }, 0);

/** Takes everything that the pace allows from `from` to `to`, answers each delivery and returns their number. */
function play(pace: HostPace, [from, to]: readonly [number, number], accepted: boolean, many = true): number {
  let count = 0;
  for (let now = from; now < to; now += 10) {
    pace.adjust(now, many);
    for (; pace.hasToken(now); count++) {
      pace.take();
      pace.ended(accepted);
    }
  }
  return count;
}

describe('HostPace', () => {
  it('allows half a second’s worth at once at the start', () => {
    expect(play(start(), [0, 10], true)).toBe(PER_SECOND / 2);
  });

  it('doubles every half second while the host accepts', () => {
    const pace = start();
    const halves = [0, 1, 2, 3, 4].map((half) => play(pace, [half * 500, half * 500 + 500], true));

    expect(halves[0]).toBeLessThan(PER_SECOND + 5);
    for (let half = 2; half < 5; half++) expect(halves[half]! / halves[half - 1]!).toBeCloseTo(2, 0);
  });

  it('falls to an eighth while the host refuses, and recovers afterwards', () => {
    const pace = start();
    play(pace, [0, 3_000], false);
    expect(play(pace, [3_000, 5_000], false)).toBeLessThan((PER_SECOND / 8) * 2 + 5);

    play(pace, [5_000, 8_000], true);
    expect(pace.perSecond).toBeGreaterThan(PER_SECOND);
  });

  it('keeps its rate while the host refuses some requests, and reports that it is held back', () => {
    const pace = start();
    for (let now = 0; now < 5_000; now += 10) {
      pace.adjust(now, true);
      for (let count = 0; pace.hasToken(now); count++) {
        pace.take();
        pace.ended(count % 4 !== 0);
      }
      for (let one = 0; one < 4; one++) pace.ended(one !== 0);
    }
    expect(pace.perSecond).toBe(PER_SECOND);
    expect(pace.isHeldBack).toBe(true);
  });

  it('reports no hold-back before the first answer, nor once the host accepts again', () => {
    const pace = start();
    expect(pace.isHeldBack).toBe(false);
    play(pace, [0, 1_000], false);
    expect(pace.isHeldBack).toBe(true);
    play(pace, [1_000, 2_000], true);
    expect(pace.isHeldBack).toBe(false);
  });

  it('returns to its start when demand falls', () => {
    const pace = start();
    play(pace, [0, 5_000], true);
    expect(pace.perSecond).toBeGreaterThan(PER_SECOND * 8);

    for (let now = 5_000; now < 300_000; now += 100) pace.adjust(now, true);
    expect(pace.perSecond).toBe(PER_SECOND);
  });

  it('equals the accepted rate while the host has few webhooks', () => {
    const pace = start();
    for (let now = 0; now < 2_000; now += 1) {
      pace.adjust(now, false);
      pace.ended(true);
    }

    expect(pace.perSecond).toBeCloseTo(1_000, -2);
    expect(play(start(), [0, 10], true)).toBeLessThan(play(pace, [2_000, 2_100], true) + PER_SECOND);
  });

  it('lets at least one delivery through, however small the share of a process is', () => {
    const pace = start(1);
    expect(play(pace, [0, 20_000], false)).toBeGreaterThanOrEqual(2);
  });
});
