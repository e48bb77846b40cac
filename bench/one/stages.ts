import type { Span } from './record-spans.js';

export interface Stage {
  readonly stage: string;
  /** Median over all events of the time from the client’s send to the start of the span. */
  readonly beginsMs: number;
  /** Median duration. */
  readonly takesMs: number;
  /** Occurrences per event. */
  readonly times: number;
}

/** Later spans belong to the next event. */
const WITHIN_US = 45_000;

/** Assigns each span to the latest event sent before it. Events are sent one by one. */
export function stagesOf(sentUs: readonly number[], spans: readonly Span[]): Stage[] {
  const sent = sentUs.toSorted((a, b) => a - b);
  const byName = new Map<string, { begins: number[]; takes: number[]; events: Set<number> }>();
  for (const { name, fromUs, toUs } of spans) {
    const event = latestBefore(sent, fromUs);
    if (event === undefined || fromUs - event > WITHIN_US) continue;
    const known = byName.get(name) ?? { begins: [], takes: [], events: new Set() };
    byName.set(name, known);
    known.begins.push(fromUs - event);
    known.takes.push(toUs - fromUs);
    known.events.add(event);
  }
  return [...byName]
    .filter(([, { events }]) => events.size > sent.length / 10)
    .map(([stage, { begins, takes }]) => ({
      stage,
      beginsMs: median(begins) / 1000,
      takesMs: median(takes) / 1000,
      times: begins.length / sent.length,
    }))
    .toSorted((a, b) => a.beginsMs - b.beginsMs);
}

function latestBefore(sorted: readonly number[], at: number): number | undefined {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= at) low = middle + 1;
    else high = middle;
  }
  return sorted[low - 1];
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
