export const HOUR_MS = 3_600_000;

/** What became of attempts in some time. */
export interface TrafficCount {
  readonly delivered: number;
  /** Failed, and will be tried again. */
  readonly retried: number;
  readonly givenUp: number;
  /** Of all attempts together. */
  readonly durationMs: number;
  readonly longestMs: number;
}

export interface TrafficHour extends TrafficCount {
  /** When it began. */
  readonly hour: Date;
}

/** Counting ends where it is enough to know that there are many. */
export interface OwedCount {
  readonly count: number;
  readonly hasMore: boolean;
}

export interface Traffic {
  /** One for each hour, the oldest first; the last one goes on. */
  readonly hours: readonly TrafficHour[];
  readonly total: TrafficCount;
  /** Owed now: after a failed attempt, and not yet tried. */
  readonly retrying: OwedCount;
  readonly waiting: OwedCount;
}

const NOTHING: TrafficCount = { delivered: 0, retried: 0, givenUp: 0, durationMs: 0, longestMs: 0 };

/** An hour in which nothing happened has no row. */
export function filledHours(stored: readonly TrafficHour[], now: Date, count: number): TrafficHour[] {
  const found = new Map(stored.map((hour) => [hour.hour.getTime(), hour]));
  const current = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  return Array.from({ length: count }, (_, place) => {
    const at = current - (count - 1 - place) * HOUR_MS;
    return found.get(at) ?? { ...NOTHING, hour: new Date(at) };
  });
}

export function totalOf(counts: readonly TrafficCount[]): TrafficCount {
  return counts.reduce(
    (sum, one) => ({
      delivered: sum.delivered + one.delivered,
      retried: sum.retried + one.retried,
      givenUp: sum.givenUp + one.givenUp,
      durationMs: sum.durationMs + one.durationMs,
      longestMs: Math.max(sum.longestMs, one.longestMs),
    }),
    NOTHING,
  );
}

/** The same in fewer, longer spans, each under the beginning of its first hour. */
export function inSpansOf(length: number, hours: readonly TrafficHour[]): TrafficHour[] {
  return hours.flatMap(({ hour }, place) =>
    place % length === 0 ? [{ ...totalOf(hours.slice(place, place + length)), hour }] : [],
  );
}

export const attemptsOf = ({ delivered, retried, givenUp }: TrafficCount): number => delivered + retried + givenUp;

/** Of all attempts, how many in a hundred were accepted. Null where there were none. Only where all were is it 100. */
export function acceptedPercent(count: TrafficCount): number | null {
  const attempts = attemptsOf(count);
  if (attempts === 0) return null;
  const percent = (100 * count.delivered) / attempts;
  return percent > 99 && percent < 100 ? 99 : Math.round(percent);
}

export function averageMs(count: TrafficCount): number | null {
  const attempts = attemptsOf(count);
  return attempts === 0 ? null : count.durationMs / attempts;
}
