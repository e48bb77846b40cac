import { parseArgs } from 'node:util';
import { createDataSource, runMigrations } from '#libs/database';
import { readSettings } from '#libs/settings';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { BenchProcess } from './bench-process.js';
import { cpuSeconds, machineBusySeconds, parentOf } from './cpu.js';
import { measureBacklog } from './delivery/backlog.js';
import { measureFanOut } from './delivery/fan-out.js';
import { measureIsolation } from './delivery/isolation.js';
import { measureWorkers } from './delivery/workers.js';
import { measureConsole } from './http/console.js';
import { measureHttp } from './http/main.js';
import { PipelineBench } from './pipeline.js';
import { type Report, printReport } from './report.js';

const HELP = `Measures against baselines of the same run; ratios say more than rates, which depend on the machine.

  npm run bench                                 the delivery pipeline, in about a minute
  npm run bench -- isolation                    hanging receivers, and a burst of one account, beside others
  npm run bench -- backlog                      a million owed deliveries, first tenth against last (--count)
  npm run bench -- fan-out                      one event for 10,000 webhooks (--webhooks)
  npm run bench -- workers                      one worker against two (--count)
  npm run bench -- http                         tokens, messages, tickets and lists over HTTP, in some minutes
  npm run bench -- http --tickets 100000        lists of so many tickets (1000000), beside 1,000
  npm run bench -- console --tickets 100000     the console’s pages with so many tickets, beside 1,000
  npm run bench -- http --only lists            one part, or several with commas: oauth, desk, lists
  npm run bench -- --count 50000                deliveries of each throughput measurement (20000)
  npm run bench -- --concurrency 200            posts in flight, for all three alike (100)
  npm run bench -- --rate 300                   events a second of the latency measurement (200)
  npm run bench -- --webhooks 20                webhooks the events are spread over (20)
  npm run bench -- --profile DIR                leave a CPU profile of the worker there
  npm run bench -- --json                       only the JSON
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string' },
    concurrency: { type: 'string', default: '100' },
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '20' },
    burst: { type: 'string', default: '100000' },
    tickets: { type: 'string' },
    only: { type: 'string' },
    webhooks: { type: 'string' },
    profile: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const { concurrency } = values;
const count = Number(values.count ?? 20_000);
const webhooks = Number(values.webhooks ?? 20);
const say = (line: string): void => void (values.json || process.stderr.write(`${line}\n`));

async function measure(): Promise<Report> {
  const settings = readSettings({ ...process.env, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
  const dataSource = await createDataSource(settings, 'bench').initialize();
  await runMigrations(dataSource);
  await dataSource.destroy();
  const sql = new Client({ connectionString: settings.DATABASE_URL });
  await sql.connect();
  const receiver = BenchProcess.start('bench/receiver.js');
  const { port } = await receiver.nextJsonWith<{ port: number }>('port');
  const url = `http://127.0.0.1:${port}/`;

  say('(a) posting the same signed bodies in a bare loop …');
  const raw = await BenchProcess.start('bench/raw.js', { args: [url, `${count}`, concurrency] }).nextJsonWith<Baseline>(
    'perSecond',
  );
  say('(b) jobs that do nothing, through the queue …');
  const queue = settings.REDIS_URL
    ? await BenchProcess.start('bench/queue.js', {
        args: [settings.REDIS_URL, `${count}`, concurrency],
      }).nextJsonWith<Baseline>('perSecond')
    : undefined;
  say('(c) the product: events committed until delivered …');
  const bench = await PipelineBench.prepare(sql, settings, { receiver: url, webhooks });
  const environment = { LOG_LEVEL: 'warn', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WORKER_CONCURRENCY: concurrency };
  const worker = BenchProcess.start('apps/worker/src/main.js', { environment, profileTo: values.profile });
  await bench.drain(2000);
  const servers = await serverPids(sql, settings.REDIS_URL);
  const before = usage({ worker, receiver }, servers);
  const product = await bench.drain(count);
  const after = usage({ worker, receiver }, servers);
  say(`(c) latency at ${values.rate} events a second …`);
  const latency = await bench.latency({ perSecond: Number(values.rate), seconds: 10 });
  await worker.stop();
  await receiver.stop();
  await sql.end();

  const perDelivery = (name: keyof typeof after) => ((after[name] - before[name]) * 1000) / count;
  return {
    settings: { count, concurrency: Number(concurrency), rate: Number(values.rate), webhooks },
    raw,
    ...(queue && { queue }),
    product: { perSecond: product.perSecond },
    latencyMs: { p50: latency.p50, p95: latency.p95, p99: latency.p99 },
    ratios: {
      toRaw: product.perSecond / raw.perSecond,
      ...(queue && { toQueue: product.perSecond / queue.perSecond }),
    },
    cpuMsPerDelivery: {
      worker: perDelivery('worker'),
      postgresql: perDelivery('postgresql'),
      redis: perDelivery('redis'),
      receiver: perDelivery('receiver'),
    },
    coresBusy: (after.machine - before.machine) / product.seconds,
  };
}

interface Baseline {
  readonly perSecond: number;
  readonly cpuMs: number;
}

interface Servers {
  readonly postgres: number;
  readonly redis: number | undefined;
}

async function serverPids(sql: Client, redisUrl: string | undefined): Promise<Servers> {
  const { rows } = await sql.query<{ pid: number }>('select pg_backend_pid() as pid');
  return { postgres: parentOf(rows[0]!.pid), redis: redisUrl ? await redisPid(redisUrl) : undefined };
}

async function redisPid(url: string): Promise<number> {
  const redis = new Redis(url);
  const info = await redis.info('server');
  redis.disconnect();
  return Number(/process_id:(\d+)/.exec(info)?.[1]);
}

function usage({ worker, receiver }: Record<'worker' | 'receiver', BenchProcess>, { postgres, redis }: Servers) {
  return {
    worker: cpuSeconds([worker.pid]),
    postgresql: cpuSeconds([postgres], { withChildren: true }),
    redis: redis ? cpuSeconds([redis]) : 0,
    receiver: cpuSeconds([receiver.pid]),
    machine: machineBusySeconds(),
  };
}

/** Each prints one JSON object. */
const SUITES: Readonly<Record<string, () => Promise<object>>> = {
  isolation: () =>
    measureIsolation(
      { perSecond: Number(values.rate), seconds: Number(values.seconds), burst: Number(values.burst) },
      say,
    ),
  backlog: () => measureBacklog(Number(values.count ?? 1_000_000), say),
  'fan-out': () => measureFanOut(Number(values.webhooks ?? 10_000), say),
  workers: () => measureWorkers(count, say),
  console: () => measureConsole(Number(values.tickets ?? 100_000), say),
  http: () => measureHttp({ tickets: Number(values.tickets ?? 1_000_000), only: values.only?.split(','), say }),
};

const suite = SUITES[positionals[0] ?? ''];
if (values.help) process.stdout.write(HELP);
else if (suite) process.stdout.write(`${JSON.stringify(await suite(), null, 2)}\n`);
else printReport(await measure(), values.json);
