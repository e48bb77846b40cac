import { setTimeout as wait } from 'node:timers/promises';
import { BenchProcess } from '../bench-process.js';
import { BenchSetup } from '../delivery/bench-setup.js';
import { Bare } from '../one/bare.js';
import { type Arrival, type Contestant, percentiles, usage, usedSince, warmUp } from '../one/contestant.js';
import { startArrivals } from '../one/first-seconds.js';
import { Product } from '../one/product.js';
import type { ClientsResult, ClientsSpec } from './clients.js';
import { type Saturated, saturationTable } from './table.js';

const CLIENTS = 32;
const TIMES_TOO_MANY = 4;
/** All wait for answers while the product is overloaded. */
const CLIENTS_IN_OVERLOAD = 2_000;
const DRAIN_SECONDS = 120;

/** One address holds all clients. */
const ENVIRONMENT = { OPEN_REQUESTS_PER_ADDRESS: '200', CONNECTIONS_PER_ADDRESS: '4000' };

/** Notes as fast as they are accepted, on all cores, for one webhook and for twenty. */
export async function measureSaturation(seconds: number, say: (line: string) => void): Promise<object> {
  const setup = await BenchSetup.open();
  try {
    const arrivalsAt = await startArrivals(setup);
    const figures: Record<string, Saturated> = {};
    for (const receivers of [1, 20]) {
      say(`the bare pipeline, receivers: ${receivers} …`);
      const bare = await Bare.start(setup, arrivalsAt, receivers);
      await warmUp(bare.contestant);
      figures[`bare, ${receivers}`] = await saturate(bare.contestant, { clients: CLIENTS, seconds });
      await bare.stop();
    }
    const product = await Product.start(setup, arrivalsAt, { environment: ENVIRONMENT });
    const [one, twenty] = [await product.writers('note'), await product.writers('fan-out')];
    await warmUp(one);
    for (const contestant of [one, twenty]) {
      say(`the product, receivers: ${contestant.receivers} …`);
      figures[`product, ${contestant.receivers}`] = await saturate(contestant, { clients: CLIENTS, seconds });
    }
    const perSecond = TIMES_TOO_MANY * figures['product, 1']!.acceptedPerSecond;
    say(`the product, ${perSecond.toFixed(0)} notes a second …`);
    figures['product, 1, overload'] = await saturate(one, { clients: CLIENTS_IN_OVERLOAD, perSecond, seconds });
    await product.stop();
    say(`\n${saturationTable(figures)}\n`);
    return figures;
  } finally {
    await setup.close();
  }
}

type Load = Pick<ClientsSpec, 'clients' | 'perSecond' | 'seconds'>;

async function saturate(contestant: Contestant, load: Load): Promise<Saturated> {
  const { base, targets, receivers, arrivalsAt } = contestant;
  await allArrived(arrivalsAt, Number.POSITIVE_INFINITY);
  await fetch(arrivalsAt, { method: 'DELETE' });
  const before = usage(contestant);
  const input = JSON.stringify({ base, targets, ...load } satisfies ClientsSpec);
  const child = BenchProcess.start('bench/saturation/clients.js', { input });
  const { accepted, refused, unsent, others } = await child.nextJsonWith<ClientsResult>('accepted');
  const receivedMeanwhile = await seenAt(arrivalsAt);
  const drainSeconds = await allArrived(arrivalsAt, accepted * receivers);
  const cpuMs = usedSince(before, contestant, accepted);
  const arrivals = (await (await fetch(arrivalsAt)).json()) as Arrival[];
  const { p50, p99 } = percentiles(arrivals);
  return {
    acceptedPerSecond: accepted / load.seconds,
    receivedPerSecond: receivedMeanwhile / load.seconds,
    refusedPerSecond: refused / load.seconds,
    unsentPerSecond: unsent / load.seconds,
    otherAnswers: others,
    drainSeconds,
    p50,
    p99,
    cpuMs,
    lost: accepted * receivers - arrivals.length,
  };
}

async function seenAt(arrivalsAt: string): Promise<number> {
  return ((await (await fetch(new URL('/seen', arrivalsAt))).json()) as { seen: number }).seen;
}

/** Waits until `count` have arrived, or for three seconds nothing. Returns the seconds until the last. */
async function allArrived(arrivalsAt: string, count: number): Promise<number> {
  const began = performance.now();
  let [seen, changedAt] = [await seenAt(arrivalsAt), began];
  while (seen < count && performance.now() - changedAt < 3_000 && performance.now() - began < DRAIN_SECONDS * 1_000) {
    await wait(50);
    const now = await seenAt(arrivalsAt);
    if (now !== seen) [seen, changedAt] = [now, performance.now()];
  }
  return (changedAt - began) / 1_000;
}
