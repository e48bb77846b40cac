import { DAY_MS } from '../../durations.js';

export const WEEK_MS = 7 * DAY_MS;

/** A Monday, 00:00 UTC. */
const SOME_MONDAY = Date.UTC(2024, 0, 1);

/** From `from` up to but not including `to`, in milliseconds. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** The week of `now` and those that follow it. */
export function weeksAhead(now: Date, count: number): TimeSpan[] {
  const first = weekStart(now.getTime());
  return Array.from({ length: count + 1 }, (_, week) => ({
    from: first + week * WEEK_MS,
    to: first + (week + 1) * WEEK_MS,
  }));
}

/** Covered to its end. Its beginning may stand in the default partition. */
export function isCovered(week: TimeSpan, by: readonly TimeSpan[]): boolean {
  return by.some(({ from, to }) => from < week.to && to >= week.to);
}

/** What stands in the default partition and concerns a week. */
export interface DefaultPartitionRows {
  /** The time of the last row of that week, if there is one. */
  readonly last: number | null;
  /** So many rows in all, of whatever week, that looking through them would keep others waiting. */
  readonly isLarge: boolean;
}

/**
 * The part of a week that gets a partition of its own. What stands in the default partition stays there, so the new one
 * begins after it. Where rows go into the default partition at present, the next day is left to them: nobody must
 * write what is about to be promised empty.
 */
export function partitionSpan(week: TimeSpan, { last, isLarge }: DefaultPartitionRows, now: Date): TimeSpan | null {
  const isNow = week.from <= now.getTime() && now.getTime() < week.to;
  const present = isNow && (last !== null || isLarge) ? now.getTime() + DAY_MS : week.from;
  const from = Math.max(week.from, present, last === null ? 0 : last + 1);
  return from < week.to ? { from, to: week.to } : null;
}

/** `20251117`: the Monday. */
export function weekName({ to }: TimeSpan): string {
  return new Date(weekStart(to - 1)).toISOString().slice(0, 10).replaceAll('-', '');
}

/** The smallest version 7 id of that millisecond: a bound between rows. */
export const smallestIdAt = (ms: number): string =>
  `${ms.toString(16).padStart(12, '0')}${'0'.repeat(20)}`.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** A version 7 id begins with its milliseconds. */
export const timeOfId = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

const weekStart = (ms: number): number => ms - ((((ms - SOME_MONDAY) % WEEK_MS) + WEEK_MS) % WEEK_MS);
