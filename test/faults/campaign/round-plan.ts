import { TARGET_COUNTS, type BackendKind } from './fault-targets.js';
import { SeededChoices } from '#test/support/seeded-choices.js';
import { FAULTS, type FaultName, type PlannedFault } from './faults.js';
import { LOAD_EVENT_KINDS, type LoadEventKind } from './load.js';

export const ACCOUNTS = 3;

/** A subscription of an account to a kind of event at a receiver. */
export interface PlannedWebhook {
  readonly account: number;
  readonly kind: LoadEventKind;
  readonly receiver: number;
}

export interface PlannedBurst {
  readonly account: number;
  readonly atMs: number;
  readonly commits: number;
}

export interface RoundPlan {
  readonly round: number;
  readonly queue: BackendKind;
  readonly loadMs: number;
  /** Between two calls of a client. */
  readonly pauseMs: number;
  readonly webhooks: readonly PlannedWebhook[];
  readonly bursts: readonly PlannedBurst[];
  readonly faults: readonly PlannedFault[];
}

/** Derives a round from the seed and its number, independent of earlier rounds. */
export function planRound(seed: number, round: number, queues: readonly BackendKind[]): RoundPlan {
  const chance = new SeededChoices(`${seed}/${round}`);
  const queue = queues[(round - 1) % queues.length]!;
  const loadMs = Math.round(chance.between(1_500, 3_500));
  const webhooks = planWebhooks(chance);
  const bursts = Array.from({ length: chance.pick([0, 1, 2]) }, () => planBurst(chance, loadMs));
  return { round, queue, loadMs, pauseMs: 0, webhooks, bursts, faults: planFaults(chance, queue, loadMs) };
}

/** Most kinds have several webhooks, some none. */
function planWebhooks(chance: SeededChoices): PlannedWebhook[] {
  const places = Array.from({ length: ACCOUNTS }, (_none, account) =>
    LOAD_EVENT_KINDS.map((kind) => ({ account, kind })),
  ).flat();
  return places.flatMap((place) =>
    Array.from({ length: chance.pick([0, 1, 2, 2, 3]) }, () => ({
      ...place,
      receiver: chance.integer(0, TARGET_COUNTS.receiver - 1),
    })),
  );
}

function planBurst(chance: SeededChoices, loadMs: number): PlannedBurst {
  return {
    account: chance.integer(0, ACCOUNTS - 1),
    atMs: Math.round(chance.between(0, loadMs)),
    commits: chance.integer(2, 15),
  };
}

function planFaults(chance: SeededChoices, queue: BackendKind, loadMs: number): PlannedFault[] {
  const tickets = (Object.keys(FAULTS) as FaultName[])
    .filter((name) => queue === 'redis' || FAULTS[name].target !== 'redis')
    .flatMap((name) => Array<FaultName>(FAULTS[name].weight).fill(name));
  return Array.from({ length: chance.pick([1, 1, 2, 2, 3, 4]) }, () => planFault(chance, chance.pick(tickets), loadMs));
}

function planFault(chance: SeededChoices, fault: FaultName, loadMs: number): PlannedFault {
  const { target, maxDurationMs } = FAULTS[fault];
  return {
    fault,
    targetIndex: chance.integer(0, TARGET_COUNTS[target] - 1),
    atMs: Math.round(chance.between(200, loadMs)),
    durationMs: Math.round(chance.between(maxDurationMs / 10, maxDurationMs)),
  };
}
