import { CAST, type QueueKind } from './cast.js';
import { Chance } from './chance.js';
import { FAULTS, type FaultName, type Strike } from './faults.js';
import { KINDS, type Kind } from './load.js';

export const ACCOUNTS = 3;

/** An account wants events of a kind at a receiver. */
export interface Wish {
  readonly account: number;
  readonly kind: Kind;
  readonly receiver: number;
}

/** Much at once, in one account. */
export interface Burst {
  readonly account: number;
  readonly atMs: number;
  readonly commits: number;
}

export interface Plan {
  readonly round: number;
  readonly queue: QueueKind;
  readonly loadMs: number;
  readonly wishes: readonly Wish[];
  readonly bursts: readonly Burst[];
  readonly strikes: readonly Strike[];
}

/** A round as the seed and its number say, whatever rounds come before it. */
export function planOf(seed: number, round: number, queues: readonly QueueKind[]): Plan {
  const chance = new Chance(`${seed}/${round}`);
  const queue = queues[(round - 1) % queues.length]!;
  const loadMs = Math.round(chance.between(1_500, 3_500));
  const wishes = wishesOf(chance);
  const bursts = Array.from({ length: chance.pick([0, 1, 2]) }, () => burstOf(chance, loadMs));
  return { round, queue, loadMs, wishes, bursts, strikes: strikesOf(chance, queue, loadMs) };
}

/** Most kinds are wanted by several, some by nobody. */
function wishesOf(chance: Chance): Wish[] {
  const places = Array.from({ length: ACCOUNTS }, (_none, account) => KINDS.map((kind) => ({ account, kind }))).flat();
  return places.flatMap((place) =>
    Array.from({ length: chance.pick([0, 1, 2, 2, 3]) }, () => ({
      ...place,
      receiver: chance.whole(0, CAST.receiver - 1),
    })),
  );
}

function burstOf(chance: Chance, loadMs: number): Burst {
  return {
    account: chance.whole(0, ACCOUNTS - 1),
    atMs: Math.round(chance.between(0, loadMs)),
    commits: chance.whole(2, 15),
  };
}

function strikesOf(chance: Chance, queue: QueueKind, loadMs: number): Strike[] {
  const tickets = (Object.keys(FAULTS) as FaultName[])
    .filter((name) => queue === 'redis' || FAULTS[name].target !== 'redis')
    .flatMap((name) => Array<FaultName>(FAULTS[name].weight).fill(name));
  return Array.from({ length: chance.pick([1, 1, 2, 2, 3, 4]) }, () => strikeOf(chance, chance.pick(tickets), loadMs));
}

function strikeOf(chance: Chance, fault: FaultName, loadMs: number): Strike {
  const { target, lastsMs } = FAULTS[fault];
  return {
    fault,
    which: chance.whole(0, CAST[target] - 1),
    atMs: Math.round(chance.between(200, loadMs)),
    forMs: Math.round(chance.between(lastsMs / 10, lastsMs)),
  };
}
