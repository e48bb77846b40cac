/** From when until when, in milliseconds since 1970. */
export interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Spans with less than this between them are one: traffic has pauses, and a worker that is idle does not. */
const PAUSE_MS = 1_000;

/** In order, none touching another. */
export function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const { fromMs, untilMs } of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = result.at(-1);
    if (last && fromMs - last.untilMs <= PAUSE_MS)
      result[result.length - 1] = { fromMs: last.fromMs, untilMs: Math.max(last.untilMs, untilMs) };
    else result.push({ fromMs, untilMs });
  }
  return result;
}

export interface WorkerRecord {
  /** When it delivered something. */
  readonly deliveredAtMs: readonly number[];
  /** When nothing could be expected of it. */
  readonly away: readonly Span[];
}

/** The longest time in which a worker could have delivered, because something was due, and delivered nothing. */
export function longestIdleMs(due: readonly Span[], { deliveredAtMs, away }: WorkerRecord): number {
  const spans = joined(due);
  const first = spans[0]?.fromMs ?? 0;
  const last = spans.at(-1)?.untilMs ?? 0;
  const marks = [first, ...deliveredAtMs, ...away.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]), last].toSorted(
    (a, b) => a - b,
  );
  const idle = marks.slice(1).map((untilMs, index) => {
    const between = { fromMs: marks[index]!, untilMs };
    return away.some((span) => overlapMs(span, between) > 0)
      ? 0
      : spans.reduce((sum, span) => sum + overlapMs(span, between), 0);
  });
  return Math.max(0, ...idle);
}

const overlapMs = (a: Span, b: Span): number =>
  Math.max(0, Math.min(a.untilMs, b.untilMs) - Math.max(a.fromMs, b.fromMs));

/** How long after a promotion something arrives again, and how long after it all that was due then has arrived. */
export function afterPromotion(promotedAtMs: number, due: readonly Span[], arrivedAtMs: readonly number[]) {
  const next = arrivedAtMs.filter((at) => at >= promotedAtMs);
  const open = due.filter(({ fromMs, untilMs }) => fromMs <= promotedAtMs && untilMs > promotedAtMs);
  return {
    goesOnMs: Math.min(...next) - promotedAtMs,
    caughtUpMs: Math.max(0, ...open.map(({ untilMs }) => untilMs - promotedAtMs)),
  };
}
