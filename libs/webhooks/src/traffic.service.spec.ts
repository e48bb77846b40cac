import { describe, expect, it } from 'vitest';
import { acceptedPercent, averageMs, filledHours, inSpansOf, totalOf } from './traffic.service.js';
import type { TrafficCount } from './traffic.statements.js';

const NOW = new Date('2030-01-10T12:34:00Z');
const count = (delivered: number, retried: number, givenUp: number, durationMs = 0, longestMs = 0): TrafficCount => ({
  delivered,
  retried,
  givenUp,
  durationMs,
  longestMs,
});

describe('hours of traffic', () => {
  it('fills as many hours as requested, ending with the current hour', () => {
    const stored = [{ ...count(1, 2, 3), hour: '2030-01-10T10:00:00Z' }];

    const hours = filledHours(stored, NOW, 3);

    expect(hours.map(({ hour, delivered }) => [hour.toISOString().slice(11, 13), delivered])).toEqual([
      ['10', 1],
      ['11', 0],
      ['12', 0],
    ]);
  });

  it('sums hours into longer spans', () => {
    const hours = filledHours([{ ...count(4, 0, 1, 50, 30), hour: '2030-01-10T11:00:00Z' }], NOW, 12);

    const spans = inSpansOf(6, hours);

    expect(spans.map(({ hour }) => hour.toISOString().slice(11, 13))).toEqual(['01', '07']);
    expect(totalOf(spans)).toEqual(totalOf(hours));
    expect(totalOf(hours)).toEqual(count(4, 0, 1, 50, 30));
  });

  it.each([
    [count(0, 0, 0), null],
    [count(1, 0, 0), 100],
    [count(12, 180, 0), 6],
    [count(999, 1, 0), 99],
    [count(0, 0, 5), 0],
  ])('rates %j as %s per cent accepted', (counted, percent) => {
    expect(acceptedPercent(counted)).toBe(percent);
  });

  it('averages the duration of attempts, if there were any', () => {
    expect([averageMs(count(2, 1, 1, 100)), averageMs(count(0, 0, 0))]).toEqual([25, null]);
  });
});
