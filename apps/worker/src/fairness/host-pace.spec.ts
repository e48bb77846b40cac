import { describe, expect, it } from 'vitest';
import { type HostAnswer, HostPace } from './host-pace.js';

const PER_SECOND = 200;
const start = (perSecond = PER_SECOND): HostPace => new HostPace({ perSecond }, 0);

/** Takes all that the pace allows from `from` to `to`, and answers each. Returns how many that were. */
function play(pace: HostPace, [from, to]: readonly [number, number], answer: HostAnswer, many = true): number {
  let count = 0;
  for (let now = from; now < to; now += 10) {
    pace.adjust(now, many);
    for (; pace.hasToken(now); count++) {
      pace.take();
      pace.ended(answer);
    }
  }
  return count;
}

describe('the pace of a host with many webhooks', () => {
  it('begins with half a second’s worth at once', () => {
    expect(play(start(), [0, 10], 'prompt')).toBe(PER_SECOND / 2);
  });

  it('doubles every half second while the host accepts what it gets', () => {
    const pace = start();
    const halves = [0, 1, 2, 3, 4].map((half) => play(pace, [half * 500, half * 500 + 500], 'prompt'));

    expect(halves[0]).toBeLessThan(PER_SECOND + 5);
    for (let half = 2; half < 5; half++) expect(halves[half]! / halves[half - 1]!).toBeCloseTo(2, 0);
  });

  it('falls to an eighth while the host refuses what it gets, and recovers with it', () => {
    const pace = start();
    play(pace, [0, 3_000], 'bad');
    expect(play(pace, [3_000, 5_000], 'bad')).toBeLessThan((PER_SECOND / 8) * 2 + 5);

    play(pace, [5_000, 8_000], 'prompt');
    expect(pace.perSecond).toBeGreaterThan(PER_SECOND);
  });

  it('stays while the host accepts slowly, and returns from below to where it began', () => {
    const pace = start();
    play(pace, [0, 5_000], 'slow');
    expect(pace.perSecond).toBe(PER_SECOND);

    play(pace, [5_000, 8_000], 'bad');
    expect(pace.perSecond).toBe(PER_SECOND / 8);
    play(pace, [8_000, 60_000], 'slow');
    expect(pace.perSecond).toBe(PER_SECOND);
  });

  it('goes back to where it began when less is wanted', () => {
    const pace = start();
    play(pace, [0, 5_000], 'prompt');
    expect(pace.perSecond).toBeGreaterThan(PER_SECOND * 8);

    for (let now = 5_000; now < 300_000; now += 100) pace.adjust(now, true);
    expect(pace.perSecond).toBe(PER_SECOND);
  });

  it('is what the host accepted while it had few webhooks', () => {
    const pace = start();
    for (let now = 0; now < 2_000; now += 1) {
      pace.adjust(now, false);
      pace.ended('prompt');
    }

    expect(pace.perSecond).toBeCloseTo(1_000, -2);
    expect(play(start(), [0, 10], 'prompt')).toBeLessThan(play(pace, [2_000, 2_100], 'prompt') + PER_SECOND);
  });

  it('lets at least one through, however small the share of a process is', () => {
    const pace = start(1);
    expect(play(pace, [0, 20_000], 'bad')).toBeGreaterThanOrEqual(2);
  });
});
