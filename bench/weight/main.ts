import { setTimeout as wait } from 'node:timers/promises';
import { BenchSetup } from '../delivery/bench-setup.js';
import { Bare } from '../one/bare.js';
import { type Contestant, run } from '../one/contestant.js';
import { startArrivals } from '../one/first-seconds.js';
import { Product } from '../one/product.js';
import { COMMITS_SETTLE_MS, Counters, type Weight } from './counters.js';
import { divided, idleWeight } from './idle.js';
import { weightTable } from './table.js';

export interface WeightOptions {
  readonly events: number;
  readonly idleSeconds: number;
  readonly only?: readonly string[] | undefined;
}

const PER_SECOND = 200;
/** More events for twenty webhooks would exceed the express allowance. */
const PER_SECOND_FAN_OUT = 50;
const WARM_UP_SECONDS = 2;

/** Counts the servers’ work for one event, beside a bare pipeline. */
export async function measureWeight(options: WeightOptions, say: (line: string) => void): Promise<object> {
  const setup = await BenchSetup.open();
  const counters = await Counters.open(setup.sql, setup.settings.REDIS_URL);
  try {
    const arrivalsAt = await startArrivals(setup);
    const weights: Record<string, Weight> = {};
    const isWanted = (name: string): boolean => options.only?.includes(name) ?? true;
    const weigh = async (name: string, contestant: Contestant) => {
      say(`${name} …`);
      weights[name] = await weightOf(contestant, counters, options.events);
    };
    if (isWanted('bare')) {
      const bare = await Bare.start(setup, arrivalsAt, 1);
      await weigh('bare', bare.contestant);
      await bare.stop();
    }
    const product = await Product.start(setup, arrivalsAt, { environment: { CATCH_MAIL: '1' } });
    for (const kind of ['note', 'reply', 'ticket', 'fan-out'] as const)
      if (isWanted(kind)) await weigh(kind, await product.writers(kind));
    if (isWanted('idle')) {
      say('idle …');
      weights['idle'] = await idleWeight(counters, options.idleSeconds);
    }
    await product.stop();
    say(`\n${weightTable(weights)}\n`);
    return { options, weights };
  } finally {
    counters.close();
    await setup.close();
  }
}

async function weightOf(contestant: Contestant, counters: Counters, events: number): Promise<Weight> {
  const perSecond = contestant.receivers > 1 ? PER_SECOND_FAN_OUT : PER_SECOND;
  await run(contestant, { perSecond, seconds: WARM_UP_SECONDS });
  await wait(COMMITS_SETTLE_MS);
  const before = await counters.read();
  await run(contestant, { perSecond, seconds: events / perSecond });
  const weight = await counters.since(before);
  await wait(COMMITS_SETTLE_MS);
  const { commits } = await counters.since(before);
  return divided({ ...weight, commits }, events);
}
