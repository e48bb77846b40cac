/** Start and end, in milliseconds since 1970. */
export interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface FaultOutcome {
  /** When another server had replaced the failed one. */
  readonly promotedAtMs?: number;
  /** When a worker, or all without a name, could not deliver. */
  readonly away?: Span & { readonly worker?: string };
  /** Commits of this span are lost. */
  readonly takenBack?: Span;
}

/** Joins spans with a shorter gap: pauses in traffic do not interrupt an idle worker. */
const PAUSE_MS = 1_000;

/** In order, without overlaps. */
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
  /** When it could not deliver. */
  readonly away: readonly Span[];
}

/** The longest time in which deliveries were due and a worker able to deliver made none. */
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

/** The time from a promotion until the next arrival, and until everything due then has arrived. */
export function afterPromotion(promotedAtMs: number, due: readonly Span[], arrivedAtMs: readonly number[]) {
  const next = arrivedAtMs.filter((at) => at >= promotedAtMs);
  const open = due.filter(({ fromMs, untilMs }) => fromMs <= promotedAtMs && untilMs > promotedAtMs);
  return {
    goesOnMs: Math.min(...next) - promotedAtMs,
    caughtUpMs: Math.max(0, ...open.map(({ untilMs }) => untilMs - promotedAtMs)),
  };
}
