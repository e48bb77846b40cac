import { isDeepStrictEqual } from 'node:util';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import type { DatabaseRecords, EventRow, EventWebhookPair } from './database-records.js';
import type { ApiCall, RegisteredWebhook } from './load.js';
import type { Arrival } from './unreliable-receiver.js';

/** Share of the due deliveries, when no worker was killed. */
export const MAX_DUPLICATE_SHARE = 0.01;

/** The limit in the libraries that receivers use. */
const MAX_SIGNATURE_AGE_MS = 5 * 60 * 1000;

export interface AuditedWebhook extends RegisteredWebhook {
  /** Its receiver had an outage, so the worker may have given up. */
  readonly mayBeExhausted: boolean;
}

export interface AuditInput {
  readonly webhooks: readonly AuditedWebhook[];
  readonly calls: readonly ApiCall[];
  readonly arrivals: readonly Arrival[];
  readonly records: DatabaseRecords;
  readonly maxAttempts: number;
}

export interface AuditResult {
  readonly calls: number;
  /** Calls with an outcome unknown to the caller. */
  readonly unknown: number;
  readonly events: number;
  readonly due: number;
  readonly arrived: number;
  readonly exhausted: number;
  readonly duplicates: number;
  /** Duplicates that the contract requires, because the receiver answered after the deadline. */
  readonly answeredLate: number;
  readonly lost: readonly string[];
  /** Sentences with the ids of the affected records. */
  readonly problems: readonly string[];
}

/**
 * Compares arrivals with the events and the campaign's own list of webhooks, not with the product's deliveries. The
 * deliveries only explain what did not arrive.
 */
export function audit(evidence: AuditInput): AuditResult {
  const { webhooks, calls, arrivals, records } = evidence;
  const due = expectedPairs(webhooks, records.events);
  const arrived = countArrivals(webhooks, arrivals);
  const exhausted = new Set(records.deliveries.filter(({ state }) => state === 'exhausted').map(pairName));
  const owed = new Set(records.owed.map(pairName));
  const late = counted(records.timeouts.map(pairName));
  const missing = [...due.keys()].filter((pair) => !arrived.has(pair));
  const lost = missing.filter((pair) => !owed.has(pair) && !exhausted.has(pair));
  return {
    calls: calls.length,
    unknown: calls.filter(isUnknown).length,
    events: records.events.length,
    due: due.size,
    arrived: due.size - missing.length,
    exhausted: missing.filter((pair) => exhausted.has(pair)).length,
    duplicates: total(arrived, (pair, times) => Math.max(0, times - 1 - (late.get(pair) ?? 0))),
    answeredLate: total(arrived, (pair, times) => Math.min(times - 1, late.get(pair) ?? 0)),
    lost,
    problems: [
      ...lost.map((pair) => `lost: ${pair}`),
      ...[...owed].map((pair) => `still owed: ${pair}`),
      ...[...arrived.keys()].filter((pair) => !due.has(pair)).map((pair) => `arrived, never committed: ${pair}`),
      ...problemsOfCalls(calls, records.events),
      ...problemsOfArrivals(arrivals, webhooks, records.events),
      ...problemsOfDeliveries(evidence, due),
    ],
  };
}

function expectedPairs(webhooks: readonly AuditedWebhook[], events: readonly EventRow[]): Map<string, AuditedWebhook> {
  const due = new Map<string, AuditedWebhook>();
  for (const { id: eventId, accountId, kind } of events)
    for (const webhook of webhooks)
      if (webhook.accountId === accountId && webhook.kind === kind)
        due.set(pairName({ eventId, webhookId: webhook.webhookId }), webhook);
  return due;
}

function countArrivals(webhooks: readonly RegisteredWebhook[], arrivals: readonly Arrival[]): Map<string, number> {
  const idOf = new Map(webhooks.map(({ path, webhookId }) => [path, webhookId]));
  const pairOf = ({ path, headers }: Arrival) =>
    pairName({ eventId: String(headers['webhook-id']), webhookId: idOf.get(path) ?? path });
  return counted(arrivals.map(pairOf));
}

function counted(pairs: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const pair of pairs) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  return counts;
}

function total(counts: Map<string, number>, of: (pair: string, times: number) => number): number {
  return [...counts].reduce((sum, [pair, times]) => sum + of(pair, times), 0);
}

const isDone = ({ status }: ApiCall): boolean => status >= 200 && status < 300;
const isUnknown = ({ status }: ApiCall): boolean => status === 0 || status === 503;

function problemsOfCalls(calls: readonly ApiCall[], events: readonly EventRow[]): string[] {
  const kinds = new Map<string | null, string[]>();
  for (const { requestId, kind } of events) {
    const ofCall = kinds.get(requestId) ?? [];
    ofCall.push(kind);
    kinds.set(requestId, ofCall);
  }
  return calls.flatMap((call) => problemsOfCall(call, kinds.get(call.requestId) ?? []));
}

/** A successful call must have taken effect; one with an unknown outcome must have done so wholly or not at all. */
function problemsOfCall(call: ApiCall, kinds: readonly string[]): string[] {
  const isWhole = isDeepStrictEqual(kinds.toSorted(), [...call.emits].toSorted());
  const said = `the call ${call.requestId} was answered ${call.status}`;
  if (isDone(call))
    return isWhole ? [] : [`${said} and committed ${kinds.join() || 'nothing'}, not ${call.emits.join()}`];
  if (!isUnknown(call)) return [`${said}, which it had no reason for`];
  return isWhole || kinds.length === 0
    ? []
    : [`${said} and left a part behind: ${kinds.join()} of ${call.emits.join()}`];
}

function problemsOfArrivals(
  arrivals: readonly Arrival[],
  webhooks: readonly RegisteredWebhook[],
  events: readonly EventRow[],
): string[] {
  const byPath = new Map(webhooks.map((webhook) => [webhook.path, webhook]));
  const byId = new Map(events.map((event) => [event.id, event]));
  return arrivals.flatMap((arrival) => {
    const webhook = byPath.get(arrival.path);
    const event = byId.get(String(arrival.headers['webhook-id']));
    return webhook && event ? problemsOfArrival(arrival, webhook, event) : [];
  });
}

function problemsOfArrival(arrival: Arrival, webhook: RegisteredWebhook, event: EventRow): string[] {
  const name = pairName({ eventId: event.id, webhookId: webhook.webhookId });
  if (arrival.body !== event.payload) return [`arrived altered: ${name}`];
  return isSigned(arrival, webhook.secret) ? [] : [`arrived with a wrong signature: ${name}`];
}

/** Uses the time of arrival: a long campaign is audited later than `verify` accepts signatures. */
function isSigned({ body, headers, atMs }: Arrival, secret: string): boolean {
  const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000);
  if (Math.abs(atMs - sentAt.getTime()) > MAX_SIGNATURE_AGE_MS) return false;
  const signature = new StandardWebhook(secret).sign(String(headers['webhook-id']), sentAt, body);
  return String(headers['webhook-signature']).split(' ').includes(signature);
}

function problemsOfDeliveries({ records, maxAttempts }: AuditInput, due: Map<string, AuditedWebhook>): string[] {
  const seen = new Set<string>();
  return records.deliveries.flatMap(({ state, attempts, ...pair }) => {
    const name = pairName(pair);
    const isSecond = seen.size === seen.add(name).size;
    if (isSecond) return [`owed twice over: ${name}`];
    if (!due.has(name)) return [`owed although nobody wanted it: ${name}`];
    if (state !== 'exhausted') return [];
    if (!due.get(name)!.mayBeExhausted) return [`given up although its receiver was well: ${name}`];
    return attempts === maxAttempts ? [] : [`given up after ${attempts} attempts: ${name}`];
  });
}

const pairName = ({ eventId, webhookId }: EventWebhookPair): string => `event ${eventId} webhook ${webhookId}`;
