export const HOUR_MS = 3_600_000;

export interface TrafficCount {
  readonly delivered: number;
  readonly retried: number;
  readonly givenUp: number;
  readonly durationMs: number;
  readonly longestMs: number;
}

export interface TrafficHour extends TrafficCount {
  readonly hour: Date;
}

/** `hasMore` if counting stopped at its limit. */
export interface OwedCount {
  readonly count: number;
  readonly hasMore: boolean;
}

export interface Traffic {
  /** Oldest first, up to the current hour. */
  readonly hours: readonly TrafficHour[];
  readonly total: TrafficCount;
  readonly retrying: OwedCount;
  readonly waiting: OwedCount;
}

const NOTHING: TrafficCount = { delivered: 0, retried: 0, givenUp: 0, durationMs: 0, longestMs: 0 };

/** Hours without attempts have no row. */
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

export function inSpansOf(length: number, hours: readonly TrafficHour[]): TrafficHour[] {
  return hours.flatMap(({ hour }, place) =>
    place % length === 0 ? [{ ...totalOf(hours.slice(place, place + length)), hour }] : [],
  );
}

const attemptsOf = ({ delivered, retried, givenUp }: TrafficCount): number => delivered + retried + givenUp;

/** Null without attempts. Never rounded up to 100. */
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
