import { describe, expect, it } from 'vitest';
import { WEEK_MS, isCovered, partitionSpan, weekName, weeksAhead } from './partition-weeks.js';

const at = (text: string) => Date.parse(text);
const now = new Date('2025-11-19T10:00:00Z');
const [week] = weeksAhead(now, 0) as [{ from: number; to: number }];

describe('weeks', () => {
  it('lists consecutive weeks that begin on Monday', () => {
    const weeks = weeksAhead(now, 2);

    expect(weeks.map(({ from }) => new Date(from).toISOString().slice(0, 10))).toEqual([
      '2025-11-17',
      '2025-11-24',
      '2025-12-01',
    ]);
    expect(weeks.map(weekName)).toEqual(['20251117', '20251124', '20251201']);
    expect(weekName({ from: at('2025-11-20T00:00:00Z'), to: week.to })).toBe('20251117');
  });

  it.each([
    ['nothing covers it', [], false],
    ['its partition exists', [week], true],
    ['a partition covers its second half', [{ from: at('2025-11-20T00:00:00Z'), to: week.to }], true],
    ['only the week before has a partition', [{ from: week.from - WEEK_MS, to: week.from }], false],
    ['a larger partition covers it', [{ from: 0, to: week.to + WEEK_MS }], true],
  ])('checks whether a week is covered: %s', (_name, spans, covered) => {
    expect(isCovered(week, spans)).toBe(covered);
  });

  const small = { last: null, isLarge: false };
  const tomorrow = { from: at('2025-11-20T10:00:00Z'), to: week.to };
  const next = weeksAhead(now, 1)[1]!;

  it.each([
    ['the whole week when the default partition has none of its rows', week, small, week],
    [
      'from tomorrow on when the default partition gets its rows today',
      week,
      { ...small, last: at('2025-11-18T00:00:00Z') },
      tomorrow,
    ],
    ['from tomorrow on when the default partition is large', week, { ...small, isLarge: true }, tomorrow],
    [
      'the whole week when it is in the future and the default partition is large',
      next,
      { ...small, isLarge: true },
      next,
    ],
    [
      'after rows of a clock that was ahead',
      next,
      { ...small, last: at('2025-11-27T00:00:00Z') },
      { from: at('2025-11-27T00:00:00.001Z'), to: next.to },
    ],
    ['none when nothing of the week would be left', week, { ...small, last: week.to - 1 }, null],
  ])('chooses the span of a partition: %s', (_name, which, rows, span) => {
    expect(partitionSpan(which, rows, now)).toEqual(span);
  });
});
