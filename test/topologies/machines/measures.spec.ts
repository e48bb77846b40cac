// @module-tag long
import { describe, expect, it } from 'vitest';
import { afterPromotion, joined, longestIdleMs } from './measures.js';

const span = (fromMs: number, untilMs: number) => ({ fromMs, untilMs });

describe('the audit of a campaign on several machines', () => {
  it('joins due spans with short pauses', () => {
    expect(joined([span(5_000, 6_000), span(0, 1_000), span(1_500, 4_500), span(9_000, 9_500)])).toEqual([
      span(0, 6_000),
      span(9_000, 9_500),
    ]);
  });

  it('counts a worker as idle only while deliveries are due', () => {
    const due = [span(0, 10_000), span(60_000, 80_000)];

    expect(longestIdleMs(due, { deliveredAtMs: [1_000, 9_000], away: [] })).toBe(21_000);
    expect(longestIdleMs(due, { deliveredAtMs: [1_000, 9_000, 70_000], away: [] })).toBe(11_000);
  });

  it('expects nothing of an absent worker', () => {
    expect(longestIdleMs([span(0, 50_000)], { deliveredAtMs: [5_000], away: [span(6_000, 45_000)] })).toBe(5_000);
  });

  it('shows when deliveries resume after a promotion, and when the backlog is gone', () => {
    const due = [span(500, 9_000), span(0, 900), span(2_000, 30_000)];

    expect(afterPromotion(1_000, due, [900, 4_000, 9_000, 30_000])).toEqual({ goesOnMs: 3_000, caughtUpMs: 8_000 });
    expect(afterPromotion(1_000, due, [900]).goesOnMs).toBe(Infinity);
  });
});
