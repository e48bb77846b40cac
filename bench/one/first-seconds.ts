import type { BenchSetup } from '../delivery/bench-setup.js';
import { percentiles, run, type Arrival } from './contestant.js';
import { Product } from './product.js';

const STARTS = 3;
const PER_SECOND = 200;
const FIRST_SECONDS = 5;
const LATER_SECONDS = 10;

export interface FirstSeconds {
  /** The p99 from the client’s send to the receiver’s last byte, in milliseconds. */
  readonly first: number;
  readonly later: number;
}

/** The first seconds after a start at full pace, and those that follow. The median of three starts. */
export async function measureFirstSeconds(setup: BenchSetup): Promise<FirstSeconds> {
  const arrivalsAt = await startArrivals(setup);
  const before = await Product.start(setup, arrivalsAt);
  const { targets, receivers } = await before.contestant('one account');
  await before.stop();
  const all: FirstSeconds[] = [];
  for (let start = 0; start < STARTS; start++) {
    const product = await Product.start(setup, arrivalsAt);
    const pace = { perSecond: PER_SECOND, seconds: FIRST_SECONDS + LATER_SECONDS };
    const { arrivals } = await run(product.contestantOf(targets, receivers), pace);
    await product.stop();
    all.push(split(arrivals));
  }
  return all.toSorted((a, b) => a.first / a.later - b.first / b.later)[STARTS >> 1]!;
}

export async function startArrivals(setup: BenchSetup): Promise<string> {
  const { port } = await setup.process('bench/one/arrivals.js', {}).nextJsonWith<{ port: number }>('port');
  return `http://127.0.0.1:${port}/`;
}

function split(arrivals: readonly Arrival[]): FirstSeconds {
  const began = Math.min(...arrivals.map(([sentUs]) => sentUs));
  const isFirst = ([sentUs]: Arrival): boolean => sentUs - began < FIRST_SECONDS * 1_000_000;
  const later = arrivals.filter((arrival) => !isFirst(arrival));
  return { first: percentiles(arrivals.filter(isFirst)).p99, later: percentiles(later).p99 };
}
