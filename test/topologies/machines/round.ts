import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient } from '#test/support/api-client.js';
import { eventually } from '#test/support/eventually.js';
import { differencesToApi } from '#test/support/mirror.js';
import { type SeededAccount, seedAccount } from '#test/support/seed.js';
import { SeededChoices } from '#test/support/seeded-choices.js';
import { type AuditResult, type AuditedWebhook, audit } from '../../faults/campaign/audit.js';
import { type DatabaseRecords, readDatabaseRecords, settles } from '../../faults/campaign/database-records.js';
import { type ApiCall, LOAD_EVENT_KINDS, LoadClient, registerWebhook } from '../../faults/campaign/load.js';
import { type Arrival, UnreliableReceiver } from '../../faults/campaign/unreliable-receiver.js';
import { FAULTS, type FaultName } from './faults.js';
import { ChangesFollower, EventsFollower } from './followers.js';
import { type FaultOutcome, type Span, afterPromotion } from './measures.js';
import { OUTSIDE } from './network.js';
import { MAX_ATTEMPTS } from './product.js';
import type { MachinesSystem } from './system.js';
import { dueSpansOf, withoutTakenBack } from './what-is-due.js';

const CALM_MS = 5_000;
/** Pause of each writing program, for about eight events per second. */
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
  readonly dueSpans: readonly Span[];
  readonly workers: readonly string[];
  readonly arrivals: readonly Arrival[];
  readonly promotion: { readonly goesOnMs: number; readonly caughtUpMs: number } | undefined;
  /** Events that the client of the feed has missed, and the number of refused cursors. */
  readonly unseen: number;
  readonly differences: number;
  readonly refusals: number;
}

/** The outside: the account, its receiver, and the clients of its feeds. */
interface Outside {
  readonly account: SeededAccount;
  readonly webhooks: readonly AuditedWebhook[];
  readonly receiver: UnreliableReceiver;
  readonly events: EventsFollower;
  readonly changes: ChangesFollower;
}

/** Runs traffic with one fault in the middle, and checks every event afterwards. */
export async function runRound(system: MachinesSystem, plan: RoundPlan): Promise<RoundResult> {
  const began = performance.now();
  const outside = await openOutside(system);
  try {
    const { calls, outcome } = await runTraffic(system, plan, outside.account);
    const judged = await judge(system, { calls, outcome, outside });
    return { ...judged, plan, outcome, seconds: (performance.now() - began) / 1000 };
  } finally {
    await Promise.all([outside.events.end(), outside.changes.end()]);
    outside.receiver.close();
  }
}

async function openOutside(system: MachinesSystem): Promise<Outside> {
  const receiver = new UnreliableReceiver(OUTSIDE);
  await receiver.start();
  const account = await eventually(() => system.balancer.sql((client) => seedAccount(client)), { withinMs: 60_000 });
  const bases = system.apis.map(({ base }) => base);
  const webhooks = await Promise.all(
    LOAD_EVENT_KINDS.map(async (kind) => {
      const wanted = { kind, receiver: receiver.url, path: `/${kind}` };
      const webhook = await eventually(() => registerWebhook(bases[0]!, account, wanted));
      return { ...webhook, mayBeExhausted: false };
    }),
  );
  const options = { bases, token: account.owner.token };
  const [events, changes] = [new EventsFollower(options), new ChangesFollower(options)];
  return { account, webhooks, receiver, events, changes };
}

interface Played {
  readonly calls: readonly ApiCall[];
  readonly outcome: FaultOutcome;
  readonly outside: Outside;
}

/** Audits the round after recovery, when nothing is owed. */
async function judge(
  system: MachinesSystem,
  { calls: made, outcome, outside: { account, webhooks, receiver, events, changes } }: Played,
): Promise<Omit<RoundResult, 'plan' | 'outcome' | 'seconds'>> {
  await system.settled();
  const rests = await settles(system.balancer, [account.id], SETTLE_TIMEOUT_MS);
  const records = await eventually(() => readDatabaseRecords(system.balancer, [account.id]), { withinMs: 60_000 });
  const { calls, arrivals } = withoutTakenBack({ calls: made, arrivals: receiver.arrivals }, outcome, records);
  const verdict = audit({ webhooks, calls, arrivals, records, maxAttempts: MAX_ATTEMPTS });
  const unseen = await unseenBy(events, records);
  const differences = await differencesOf(changes, system, account);
  const dueSpans = dueSpansOf(calls, records, arrivals);
  const arrivedAt = arrivals.map(({ atMs }) => atMs);
  return {
    ...verdict,
    dueSpans,
    arrivals,
    workers: system.workers.map(({ host }) => host.address),
    promotion:
      outcome.promotedAtMs === undefined ? undefined : afterPromotion(outcome.promotedAtMs, dueSpans, arrivedAt),
    unseen,
    differences,
    refusals: events.refusals + changes.refusals,
    problems: [
      ...verdict.problems,
      ...(rests ? [] : [`not at rest ${SETTLE_TIMEOUT_MS / 1000} s after the fault`]),
      ...system.apps.filter(({ hasEnded }) => hasEnded).map(({ name }) => `${name} ended by itself`),
    ],
  };
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
    await delay(2 * CALM_MS);
    return { calls: clients.flatMap(({ calls }) => calls), outcome };
  } finally {
    isOver = true;
    await working;
  }
}

/** Waits for the client to read everything, and counts the events it missed. */
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
  const client = new ApiClient(system.apis[0]!.base, account.owner.token);
  const { mirror } = follower;
  if (!mirror) return Infinity;
  await system.balancer.sql((sql) => mirror.catchUp(sql));
  return (await differencesToApi(mirror, client)).length;
}
