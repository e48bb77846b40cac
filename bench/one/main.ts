import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BenchSetup } from '../delivery/bench-setup.js';
import { Bare } from './bare.js';
import { type Measured, measureAccepting, measureSteady, warmUp } from './contestant.js';
import { startArrivals } from './first-seconds.js';
import { Product } from './product.js';
import type { Span } from './record-spans.js';
import { stagesOf } from './stages.js';
import { type Figure, type Figures, middleOf, oneTable } from './table.js';

export interface OneOptions {
  readonly runs: number;
  readonly seconds: number;
  /** Names of the parts to measure; all by default. */
  readonly only?: readonly string[] | undefined;
}

const ACCEPTED = 2_000;
const STAGE_SECONDS = 6;

/** Latency of one event without a backlog: the product and a bare pipeline with the same promise. */
export async function measureOne(options: OneOptions, say: (line: string) => void): Promise<object> {
  const setup = await BenchSetup.open();
  try {
    const arrivalsAt = await startArrivals(setup);
    const runs: { bare: Figures; product: Figures }[] = [];
    for (let run = 1; run <= options.runs; run++) {
      say(`run ${run}: the bare pipeline …`);
      const bare = await measureBare(setup, arrivalsAt, options);
      say(`run ${run}: the product …`);
      runs.push({ bare, product: await measureProduct(setup, arrivalsAt, options) });
    }
    const stages = wanted(options, 'stages') ? await measureStages(setup, arrivalsAt, say) : [];
    const figures = { bare: middleOf(runs.map(({ bare }) => bare)), product: middleOf(runs.map((one) => one.product)) };
    say(`\n${oneTable(figures, stages)}\n`);
    return { options, ...figures, stages };
  } finally {
    await setup.close();
  }
}

const wanted = ({ only }: OneOptions, name: string): boolean => only?.includes(name) ?? true;

async function measureBare(setup: BenchSetup, arrivalsAt: string, options: OneOptions): Promise<Figures> {
  const { seconds } = options;
  const figures: Record<string, Figure> = {};
  const one = await Bare.start(setup, arrivalsAt, 1);
  await warmUp(one.contestant);
  for (const perSecond of [200, 20]) {
    const name = `${perSecond}/s, one account`;
    if (wanted(options, `${perSecond}`)) figures[name] = await steady(one.contestant, { perSecond, seconds });
  }
  if (wanted(options, 'accept')) figures['message posts'] = await measureAccepting(one.contestant, ACCEPTED);
  await one.stop();
  if (!wanted(options, 'fan-out')) return figures;
  const twenty = await Bare.start(setup, arrivalsAt, 20);
  figures['50/s, twenty receivers'] = await steady(twenty.contestant, { perSecond: 50, seconds });
  await twenty.stop();
  return figures;
}

async function measureProduct(setup: BenchSetup, arrivalsAt: string, options: OneOptions): Promise<Figures> {
  const { seconds } = options;
  const figures: Record<string, Figure> = {};
  const product = await Product.start(setup, arrivalsAt);
  await warmUp(await product.contestant('one account'));
  for (const perSecond of [200, 20])
    for (const crowd of ['one account', 'fifty accounts'] as const)
      if (wanted(options, `${perSecond}`))
        figures[`${perSecond}/s, ${crowd}`] = await steady(await product.contestant(crowd), { perSecond, seconds });
  if (wanted(options, 'fan-out'))
    figures['50/s, twenty receivers'] = await steady(await product.contestant('twenty receivers'), {
      perSecond: 50,
      seconds,
    });
  if (wanted(options, 'accept')) {
    figures['message posts'] = await measureAccepting(await product.contestant('one account'), ACCEPTED);
    const { contestant, body } = await product.newTickets();
    figures['new tickets'] = await measureAccepting(contestant, ACCEPTED, body);
  }
  await product.stop();
  return figures;
}

async function steady(...values: Parameters<typeof measureSteady>): Promise<Measured> {
  const { arrivals: _, ...measured } = await measureSteady(...values);
  return measured;
}

/** Separate processes, because recording spans takes time. */
async function measureStages(setup: BenchSetup, arrivalsAt: string, say: (line: string) => void) {
  say('the stages of one event …');
  const folder = mkdtempSync(join(tmpdir(), 'deskwire-spans-'));
  try {
    const product = await Product.start(setup, arrivalsAt, { spansTo: folder });
    await warmUp(await product.contestant('one account'));
    const pace = { perSecond: 20, seconds: STAGE_SECONDS };
    const { arrivals } = await measureSteady(await product.contestant('one account'), pace);
    await product.stop();
    const sent = arrivals.map(([sentUs]) => sentUs);
    return ['api', 'worker'].flatMap((part) => {
      const spans = JSON.parse(readFileSync(join(folder, `${part}.json`), 'utf8')) as Span[];
      return stagesOf(sent, spans).map((stage) => ({ part, ...stage }));
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
