import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { differencesToApi } from '../../support/mirror.js';
import { type SeededAccount, seedAccount } from '../../support/seed.js';
import { SeededChoices } from '../../support/seeded-choices.js';
import { type AuditResult, type RegisteredWebhook, audit } from '../../faults/campaign/audit.js';
import { type DatabaseRecords, isNothingOwed, readDatabaseRecords } from '../../faults/campaign/database-records.js';
import { type ApiCall, LOAD_EVENT_KINDS, LoadClient } from '../../faults/campaign/load.js';
import { type Arrival, UnreliableReceiver } from '../../faults/campaign/unreliable-receiver.js';
import type { FaultOutcome } from './fault-outcome.js';
import { FAULTS, type FaultName } from './faults.js';
import { ChangesFollower, EventsFollower } from './followers.js';
import { type Span, afterPromotion } from './measures.js';
import { OUTSIDE } from './network.js';
import { MAX_ATTEMPTS } from './product.js';
import type { MachinesSystem } from './system.js';

/** Before the fault, and after it is over. */
const CALM_MS = 5_000;
/** Of each of the programs that write, so that there are about eight events a second. */
const PACE = { pauseMs: 350, giveUpAfterMs: 60_000 };
const SETTLE_TIMEOUT_MS = 90_000;

export interface RoundPlan {
  readonly round: number;
  readonly fault: FaultName;
  readonly seed: string;
}

export interface RoundResult extends AuditResult {
  readonly plan: RoundPlan;
  readonly seconds: number;
  readonly outcome: FaultOutcome;
  /** When something was due. */
  readonly dueSpans: readonly Span[];
  /** Where the workers are. */
  readonly workers: readonly string[];
  readonly arrivals: readonly Arrival[];
  readonly promotion: { readonly goesOnMs: number; readonly caughtUpMs: number } | undefined;
  /** Events that the client of the feed has not seen, and how often the feeds refused a cursor. */
  readonly unseen: number;
  readonly differences: number;
  readonly refusals: number;
}

/** Traffic, one fault in the midst of it, and what became of every event when all is over. */
export async function runRound(system: MachinesSystem, plan: RoundPlan): Promise<RoundResult> {
  const began = performance.now();
  const receiver = new UnreliableReceiver(OUTSIDE);
  await receiver.start();
  const account = await eventually(() => system.balancer.sql((client) => seedAccount(client)), { withinMs: 60_000 });
  const webhooks = await registerWebhooks(system, account, receiver);
  const options = { bases: system.apis.map(({ base }) => base), token: account.owner.token };
  const events = new EventsFollower(options).start();
  const changes = new ChangesFollower(options).start();
  const { calls: made, outcome } = await runTraffic(system, plan, account);
  await system.settled();
  const rests = await isSettled(system, account);
  const records = await eventually(() => readDatabaseRecords(system.balancer, [account.id]), { withinMs: 60_000 });
  const { calls, arrivals } = withoutTakenBack({ calls: made, arrivals: receiver.arrivals }, outcome, records);
  const verdict = audit({ webhooks, calls, arrivals, records, maxAttempts: MAX_ATTEMPTS });
  const unseen = await unseenBy(events, records);
  const differences = await differencesOf(changes, system, account);
  receiver.close();
  const due = dueSpansOf(calls, records, arrivals);
  const arrivedAt = arrivals.map(({ atMs }) => atMs);
  const refusals = events.refusals + changes.refusals;
  return {
    ...verdict,
    plan,
    outcome,
    dueSpans: due,
    workers: system.workers.map(({ host }) => host.address),
    arrivals,
    promotion: outcome.promotedAtMs === undefined ? undefined : afterPromotion(outcome.promotedAtMs, due, arrivedAt),
    unseen,
    differences,
    refusals,
    seconds: (performance.now() - began) / 1000,
    problems: [
      ...verdict.problems,
      ...(rests ? [] : [`not at rest ${SETTLE_TIMEOUT_MS / 1000} s after the fault`]),
      ...system.apps.filter(({ hasEnded }) => hasEnded).map(({ name }) => `${name} ended by itself`),
    ],
  };
}

async function registerWebhooks(
  { apis }: MachinesSystem,
  { id: accountId, owner }: SeededAccount,
  receiver: UnreliableReceiver,
): Promise<RegisteredWebhook[]> {
  const client = new ApiClient(apis[0]!.base, owner.token);
  return Promise.all(
    LOAD_EVENT_KINDS.map(async (kind) => {
      const path = `/${kind}`;
      const { status, text, body } = await eventually(() =>
        client.post('/v1/webhooks', { event: kind, url: receiver.url + path }),
      );
      if (status !== 201) throw new Error(`A webhook was not registered: ${text}`);
      const { id: webhookId, secret } = (body as { webhook: { id: string; secret: string } }).webhook;
      return { webhookId, accountId, kind, path, secret, mayBeExhausted: false };
    }),
  );
}

async function runTraffic(
  system: MachinesSystem,
  plan: RoundPlan,
  account: SeededAccount,
): Promise<{ calls: ApiCall[]; outcome: FaultOutcome }> {
  let isOver = false;
  const clients = system.apis.flatMap(({ base }) => [1, 2].map(() => new LoadClient(base, account, PACE)));
  const working = Promise.all(clients.map((client) => client.work(() => isOver)));
  try {
    await delay(CALM_MS);
    const outcome = await FAULTS[plan.fault].inject(system, new SeededChoices(plan.seed));
    // As long as it may take at most until all goes on.
    await delay(outcome.promotedAtMs === undefined ? 2 * CALM_MS : CALM_MS);
    return { calls: clients.flatMap(({ calls }) => calls), outcome };
  } finally {
    isOver = true;
    await working;
  }
}

/** Whether nothing is owed any more, and the last worker has its network again. */
async function isSettled({ balancer }: MachinesSystem, { id }: SeededAccount): Promise<boolean> {
  return eventually(() => isNothingOwed(balancer, [id]), { withinMs: SETTLE_TIMEOUT_MS }).catch(() => false);
}

/** Once it has had the time to ask for all. */
async function unseenBy(follower: EventsFollower, { events }: DatabaseRecords): Promise<number> {
  const unseen = () => events.filter(({ id }) => !follower.seen.has(id)).length;
  await eventually(() => unseen() === 0, { withinMs: 20_000 }).catch(() => undefined);
  await follower.end();
  return unseen();
}

async function differencesOf(
  follower: ChangesFollower,
  system: MachinesSystem,
  account: SeededAccount,
): Promise<number> {
  await follower.end();
  if (!follower.isThere) return 0;
  const client = new ApiClient(system.apis[0]!.base, account.owner.token);
  const { mirror } = follower;
  if (!mirror) return Infinity;
  await system.balancer.sql((sql) => mirror.catchUp(sql));
  return (await differencesToApi(mirror, client)).length;
}

interface Traffic {
  readonly calls: readonly ApiCall[];
  readonly arrivals: readonly Arrival[];
}

/** What was done after the point to which the database was put back may be there or not, and what was sent may have been. */
function withoutTakenBack(
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

/** From when a call was answered until what it made first arrived. Of calls without an answer it is not known. */
function dueSpansOf(calls: readonly ApiCall[], { events }: DatabaseRecords, arrivals: readonly Arrival[]): Span[] {
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
