import { cpuSeconds, machineBusySeconds } from '../cpu.js';
import type { Report } from '../report.js';
import { postgresPid, redisPid } from '../server-pids.js';
import type { Latency } from './bench-receiver.js';
import { BenchSetup } from './bench-setup.js';
import { PipelineBench } from './pipeline-bench.js';

export interface ThroughputOptions {
  readonly count: number;
  readonly concurrency: number;
  readonly rate: number;
  readonly webhooks: number;
}

interface Baseline {
  readonly perSecond: number;
  readonly cpuMs: number;
}

interface Baselines {
  readonly raw: Baseline;
  readonly queue?: Baseline;
}

type Usage = Readonly<Record<'worker' | 'postgresql' | 'redis' | 'receiver' | 'machine', number>>;

/** The product and two baselines: a bare loop of signed posts, and the queue alone. */
export async function measureThroughput(
  options: ThroughputOptions,
  say: (line: string) => void,
  profileTo?: string,
): Promise<Report> {
  const setup = await BenchSetup.open();
  try {
    const { count, rate } = options;
    const receiver = await setup.receiver();
    const baselines = await measureBaselines(setup, receiver.url, options, say);
    say('(c) the product: events committed until delivered …');
    const bench = await PipelineBench.prepare(setup, receiver, options.webhooks);
    const worker = setup.worker({ WORKER_CONCURRENCY: `${options.concurrency}` }, { profileTo });
    await bench.drain(2000);
    const usage = await usageOf(setup, { worker: worker.pid, receiver: receiver.pid });
    const before = usage();
    const product = await bench.drain(count);
    const after = usage();
    say(`(c) latency at ${rate} events a second …`);
    const latency = await bench.latency({ perSecond: rate, seconds: 10 });
    return {
      settings: { ...options },
      ...reportOf(baselines, product, latency),
      ...costOf(before, after, { count, seconds: product.seconds }),
    };
  } finally {
    await setup.close();
  }
}

function reportOf({ raw, queue }: Baselines, { perSecond }: { perSecond: number }, { p50, p95, p99 }: Latency) {
  return {
    raw,
    ...(queue && { queue }),
    product: { perSecond },
    latencyMs: { p50, p95, p99 },
    ratios: { toRaw: perSecond / raw.perSecond, ...(queue && { toQueue: perSecond / queue.perSecond }) },
  };
}

function costOf(before: Usage, after: Usage, { count, seconds }: { count: number; seconds: number }) {
  const perDelivery = (name: keyof Usage) => ((after[name] - before[name]) * 1000) / count;
  return {
    cpuMsPerDelivery: {
      worker: perDelivery('worker'),
      postgresql: perDelivery('postgresql'),
      redis: perDelivery('redis'),
      receiver: perDelivery('receiver'),
    },
    coresBusy: (after.machine - before.machine) / seconds,
  };
}

async function measureBaselines(
  setup: BenchSetup,
  url: string,
  { count, concurrency }: ThroughputOptions,
  say: (line: string) => void,
): Promise<Baselines> {
  const run = (file: string, target: string) =>
    setup.process(file, { args: [target, `${count}`, `${concurrency}`] }).nextJsonWith<Baseline>('perSecond');
  say('(a) posting the same signed bodies in a bare loop …');
  const raw = await run('bench/raw.js', url);
  if (!setup.settings.REDIS_URL) return { raw };
  say('(b) jobs that do nothing, through the queue …');
  return { raw, queue: await run('bench/queue.js', setup.settings.REDIS_URL) };
}

/** Returns the CPU seconds used so far by each part. */
async function usageOf(
  { sql, settings }: BenchSetup,
  pids: { worker: number; receiver: number },
): Promise<() => Usage> {
  const postgres = await postgresPid(sql);
  const redis = settings.REDIS_URL ? await redisPid(settings.REDIS_URL) : undefined;
  return () => ({
    worker: cpuSeconds([pids.worker]),
    postgresql: cpuSeconds([postgres], { withChildren: true }),
    redis: redis ? cpuSeconds([redis]) : 0,
    receiver: cpuSeconds([pids.receiver]),
    machine: machineBusySeconds(),
  });
}
