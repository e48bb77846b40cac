import { setTimeout as wait } from 'node:timers/promises';
import { cpuSeconds } from '../cpu.js';
import { BenchProcess } from '../bench-process.js';
import type { LoadResult } from '../http/load.js';
import type { OpenLoop, Target } from './open-loop.js';

/** Operations that the bare pipeline and the product share. */
export interface Contestant {
  readonly base: string;
  readonly targets: readonly Target[];
  /** Receivers per target. */
  readonly receivers: number;
  readonly arrivalsAt: string;
  readonly pids: Readonly<Record<string, number>>;
}

export interface Measured {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly refused: number;
  /** Milliseconds per event, by process. */
  readonly cpuMs: Readonly<Record<string, number>>;
  readonly cpuMsInAll: number;
}

export interface Pace {
  readonly perSecond: number;
  readonly seconds: number;
}

export type Arrival = readonly [sentUs: number, arrivedUs: number];

const ARRIVAL_TIMEOUT_MS = 20_000;
const WARM_UP_SECONDS = 1;
/** A round of the warm-up, which ends with the first round that gains less than a twentieth. */
const WARM_UP_REQUESTS = 1_500;
const MAX_WARM_UPS = 8;
const NO_GAIN = 0.95;

/**
 * Warms up until requests no longer become cheaper. A new process compiles its hot code, which takes longer the more
 * code there is and is not part of the cost of an event.
 */
export async function warmUp(contestant: Contestant): Promise<void> {
  let cheapest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < MAX_WARM_UPS; round++) {
    const { cpuMs } = await measureAccepting(contestant, WARM_UP_REQUESTS);
    const spent = inAll(cpuMs);
    if (spent > cheapest * NO_GAIN) return;
    cheapest = Math.min(cheapest, spent);
  }
}

export async function measureSteady(
  contestant: Contestant,
  { perSecond, seconds }: Pace,
): Promise<Measured & { arrivals: readonly Arrival[] }> {
  await run(contestant, { perSecond, seconds: WARM_UP_SECONDS });
  const before = usage(contestant);
  const { sent, refused, arrivals } = await run(contestant, { perSecond, seconds });
  const cpuMs = usedSince(before, contestant, sent);
  return { ...percentiles(arrivals), refused, cpuMs, cpuMsInAll: inAll(cpuMs), arrivals };
}

export interface Accepted {
  readonly perSecond: number;
  /** Milliseconds per request, by process. The other processes of the product keep working. */
  readonly cpuMs: Readonly<Record<string, number>>;
}

/** Requests accepted per second from sixteen clients, and the cost of each. */
export async function measureAccepting(
  contestant: Contestant,
  count: number,
  bodyOf = () => JSON.stringify({ body: 'Thank you, that helped.' }),
): Promise<Accepted> {
  const { base, targets } = contestant;
  const requests = Array.from({ length: count }, (_, place) => ({
    ...targets[place % targets.length]!,
    method: 'POST',
    body: bodyOf(),
  }));
  const input = JSON.stringify({ base, concurrency: 16, requests });
  const before = usage(contestant);
  const child = BenchProcess.start('bench/http/load.js', { input });
  const { perSecond } = await child.nextJsonWith<LoadResult>('perSecond');
  return { perSecond, cpuMs: usedSince(before, contestant, count) };
}

/** Sends at a steady pace, and waits until everything has arrived. */
export async function run({ base, targets, receivers, arrivalsAt }: Contestant, pace: Pace) {
  await fetch(arrivalsAt, { method: 'DELETE' });
  const spec: OpenLoop = { base, targets, practiceAt: arrivalsAt, ...pace };
  const child = BenchProcess.start('bench/one/open-loop.js', { input: JSON.stringify(spec) });
  const { sent, refused } = await child.nextJsonWith<{ sent: number; refused: number }>('sent');
  await allArrived(arrivalsAt, (sent - refused) * receivers);
  return { sent, refused, arrivals: (await (await fetch(arrivalsAt)).json()) as Arrival[] };
}

async function allArrived(arrivalsAt: string, count: number): Promise<void> {
  for (const end = Date.now() + ARRIVAL_TIMEOUT_MS; Date.now() < end; await wait(50)) {
    const { seen } = (await (await fetch(new URL('/seen', arrivalsAt))).json()) as { seen: number };
    if (seen >= count) return;
  }
  throw new Error(`Fewer than ${count} deliveries arrived.`);
}

export function usage({ pids }: Contestant): Record<string, number> {
  return Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => [name, cpuSeconds([pid], { withChildren: name === 'postgresql' })]),
  );
}

/** CPU milliseconds since `before` for each of `count` requests, by process. */
export function usedSince(
  before: Record<string, number>,
  contestant: Contestant,
  count: number,
): Record<string, number> {
  const after = usage(contestant);
  return Object.fromEntries(
    Object.entries(after).map(([name, seconds]) => [name, ((seconds - before[name]!) * 1000) / count]),
  );
}

const inAll = (cpuMs: Readonly<Record<string, number>>): number =>
  Object.values(cpuMs).reduce((sum, one) => sum + one, 0);

export function percentiles(arrivals: readonly Arrival[]) {
  const sorted = arrivals.map(([sentUs, arrivedUs]) => (arrivedUs - sentUs) / 1000).toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
