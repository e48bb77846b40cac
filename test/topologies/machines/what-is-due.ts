import type { DatabaseRecords } from '../../faults/campaign/database-records.js';
import type { ApiCall } from '../../faults/campaign/load.js';
import type { Arrival } from '../../faults/campaign/unreliable-receiver.js';
import type { FaultOutcome, Span } from './measures.js';

interface Traffic {
  readonly calls: readonly ApiCall[];
  readonly arrivals: readonly Arrival[];
}

/** Calls after the restore point may have taken effect or not, and may have been delivered. */
export function withoutTakenBack(
  { calls, arrivals }: Traffic,
  { takenBack }: FaultOutcome,
  { events }: DatabaseRecords,
): Traffic {
  if (!takenBack) return { calls, arrivals };
  const isWithin = (atMs: number): boolean => atMs >= takenBack.fromMs && atMs <= takenBack.untilMs;
  const ids = new Set(events.map(({ id }) => id));
  return {
    calls: calls.map((call) => (isWithin(call.answeredAtMs) ? { ...call, status: 0 } : call)),
    arrivals: arrivals.filter(({ headers, atMs }) => ids.has(String(headers['webhook-id'])) || !isWithin(atMs)),
  };
}

/** From the response of a call until the first arrival of its event. Unknown for calls without a response. */
export function dueSpansOf(
  calls: readonly ApiCall[],
  { events }: DatabaseRecords,
  arrivals: readonly Arrival[],
): Span[] {
  const answered = new Map(
    calls.filter(({ status }) => status < 300 && status > 0).map((call) => [call.requestId, call]),
  );
  const first = new Map<string, number>();
  for (const { headers, atMs } of arrivals) {
    const id = String(headers['webhook-id']);
    first.set(id, Math.min(atMs, first.get(id) ?? Infinity));
  }
  return events.flatMap(({ id, requestId }) => {
    const call = requestId === null ? undefined : answered.get(requestId);
    const untilMs = first.get(id);
    if (!call || untilMs === undefined) return [];
    return [{ fromMs: Math.min(call.answeredAtMs, untilMs), untilMs }];
  });
}
