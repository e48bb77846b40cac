import { DAY_MS } from '../durations.js';

export const WEEK_MS = 7 * DAY_MS;

const SOME_MONDAY = Date.UTC(2024, 0, 1);

/** `to` is exclusive. */
export type TimeSpan = { readonly from: number; readonly to: number };

export function weeksAhead(now: Date, count: number): TimeSpan[] {
  const first = weekStart(now.getTime());
  return Array.from({ length: count + 1 }, (_, week) => ({
    from: first + week * WEEK_MS,
    to: first + (week + 1) * WEEK_MS,
  }));
}

/** Its first rows may be in the default partition. */
export const isCovered = (week: TimeSpan, by: readonly TimeSpan[]): boolean =>
  by.some(({ from, to }) => from < week.to && to >= week.to);

export interface DefaultPartitionRows {
  readonly last: number | null;
  /** A scan under a lock would block others. */
  readonly isLarge: boolean;
}

/**
 * Rows in the default partition stay there, so the span starts after them, or a day from now if rows of the week go
 * there: the declared span must stay empty.
 */
export function partitionSpan(week: TimeSpan, { last, isLarge }: DefaultPartitionRows, now: Date): TimeSpan | null {
  const isNow = week.from <= now.getTime() && now.getTime() < week.to;
  const present = isNow && (last !== null || isLarge) ? now.getTime() + DAY_MS : week.from;
  const from = Math.max(week.from, present, last === null ? 0 : last + 1);
  return from < week.to ? { from, to: week.to } : null;
}

export const weekName = ({ to }: TimeSpan): string =>
  new Date(weekStart(to - 1)).toISOString().slice(0, 10).replaceAll('-', '');

const weekStart = (ms: number): number => ms - ((((ms - SOME_MONDAY) % WEEK_MS) + WEEK_MS) % WEEK_MS);
