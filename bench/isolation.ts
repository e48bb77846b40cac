import { type AddressInfo, type Server, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createDataSource, runMigrations } from '#libs/database';
import { readSettings } from '#libs/settings';
import { Client } from 'pg';
import { Child } from './child.js';
import { Crowd, type Subscriber } from './crowd.js';

/**
 * What receivers that hang, and an account that bursts, cost everybody else: the same open-loop traffic three times in
 * one run, undisturbed, beside hanging receivers, and beside a burst.
 */
const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '20' },
    burst: { type: 'string', default: '100000' },
  },
});
const RATE = Number(values.rate);
const SECONDS = Number(values.seconds);
const ACCOUNTS = 20;
const WEBHOOKS_EACH = 10;

interface Latency {
  readonly seen: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

const settings = readSettings({ ...process.env, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
const dataSource = await createDataSource(settings, 'bench').initialize();
await runMigrations(dataSource);
await dataSource.destroy();
const sql = new Client({ connectionString: settings.DATABASE_URL });
await sql.connect();
const crowd = new Crowd(sql, settings);

const prompt = await receiver();
const flooded = await receiver();
const silent = await hangingServer();
const well: Subscriber[] = [];
const hanging: Subscriber[] = [];
for (let account = 0; account < ACCOUNTS; account++) {
  const accountId = await crowd.account();
  for (let one = 1; one < WEBHOOKS_EACH; one++) well.push(await crowd.subscribe(accountId, prompt.url));
  hanging.push(await crowd.subscribe(accountId, silent.url));
}
const worker = Child.start('apps/worker/src/main.js', {
  environment: { LOG_LEVEL: 'warn', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
});
await traffic(well, 2);

const undisturbed = await traffic(well, SECONDS);
const besideHanging = await traffic(well, SECONDS, hanging);
const undisturbedAgain = await traffic(well, SECONDS);
const burst = crowd.happen(await crowd.subscribe(await crowd.account(), flooded.url), Number(values.burst));
await burst;
const besideBurst = await traffic(well, SECONDS);
const { seen } = await statsOf(flooded.url);

print('undisturbed', undisturbed);
print('10 % of the webhooks hang', besideHanging);
print('undisturbed, again', undisturbedAgain);
print(`beside a burst of ${values.burst}`, besideBurst);
process.stdout.write(`of the burst, ${seen} were delivered in that time\n`);
await worker.stop();
for (const part of [prompt, flooded]) await part.child.stop();
silent.server.close();
await sql.end();
process.exit(0);

/** Open loop: an event when it is due, whatever the pipeline does. Of ten events one is for `also`, where given. */
async function traffic(
  main: readonly Subscriber[],
  seconds: number,
  also: readonly Subscriber[] = [],
): Promise<Latency> {
  await fetch(prompt.url, { method: 'DELETE' });
  const started = performance.now();
  let mine = 0;
  for (let sent = 0; sent < RATE * seconds;) {
    const due = Math.floor(((performance.now() - started) / 1000) * RATE);
    for (; sent < Math.min(due, RATE * seconds); sent++) {
      const isOther = also.length > 0 && sent % 10 === 0;
      const among = isOther ? also : main;
      await crowd.happen(among[(isOther ? sent / 10 : sent) % among.length]!);
      if (!isOther) mine += 1;
    }
    await wait(1);
  }
  return arrived(mine);
}

async function arrived(count: number): Promise<Latency> {
  for (const end = Date.now() + 120_000; Date.now() < end; await wait(50)) {
    const stats = await statsOf(prompt.url);
    if (stats.seen >= count) return stats;
  }
  throw new Error(`Not all of ${count} events arrived within two minutes.`);
}

async function statsOf(url: string): Promise<Latency> {
  return (await (await fetch(url)).json()) as Latency;
}

async function receiver(): Promise<{ child: Child; url: string }> {
  const child = Child.start('bench/receiver.js');
  const { port } = await child.says<{ port: number }>('port');
  return { child, url: `http://127.0.0.1:${port}/` };
}

async function hangingServer(): Promise<{ server: Server; url: string }> {
  const server = createServer((socket) => socket.on('error', () => undefined).resume());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

function print(what: string, { p50, p95, p99 }: Latency): void {
  process.stdout.write(`${what.padEnd(32)} p50 ${p50} ms  p95 ${p95} ms  p99 ${p99} ms\n`);
}
