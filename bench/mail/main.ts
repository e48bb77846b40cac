import { setTimeout as wait } from 'node:timers/promises';
import type { BenchProcess } from '../bench-process.js';
import { cpuSeconds } from '../cpu.js';
import type { Latency } from '../delivery/bench-receiver.js';
import { BenchSetup } from '../delivery/bench-setup.js';
import { PipelineBench } from '../delivery/pipeline-bench.js';
import { postgresPid } from '../server-pids.js';
import { type IdleMemory, measureIdleMailboxes } from './idle-mailboxes.js';
import { MailDesk } from './mail-desk.js';

export interface MailBenchOptions {
  readonly count: number;
  readonly seconds: number;
  /** Webhook events per second during the mail traffic. */
  readonly rate: number;
  readonly only: readonly string[] | undefined;
}

const CALM = { perSecond: 10, connections: 4 };
const BESIDE = { perSecond: 50, connections: 8 };
const AT_ONCE = 16;
const WARM_UP = { count: 300, connections: 8 };
const IDLE_COUNTS = [0, 100, 200, 1_000];
const WEBHOOKS = 20;

type Say = (line: string) => void;

/** Inbound mail: latency of a single email, throughput, and the effect on other traffic. */
export async function measureMail(options: MailBenchOptions, say: Say): Promise<object> {
  const setup = await BenchSetup.open();
  const desk = await MailDesk.start(setup);
  const wants = (part: string): boolean => options.only?.includes(part) ?? true;
  try {
    const worker = await desk.worker();
    await desk.send(WARM_UP);
    await desk.received(WARM_UP.count);
    const latency = wants('latency') && (await measureLatency(setup, desk, options.seconds, say));
    const beside = wants('beside') && (await measureBeside(setup, desk, options, say));
    const burst = wants('burst') && (await measureBurst(setup, { desk, worker, count: options.count }, say));
    await worker.stop();
    const idle = wants('idle') && (await measureIdle(setup, desk, say));
    return { options, latency, beside, burst, idle };
  } finally {
    await setup.close();
    desk.removeFiles();
  }
}

/** Microseconds from acceptance to processing, for the latest emails. */
const PROCESSED = `select extract(epoch from processed_at - created_at) * 1e6 as us
  from arrivals where processed_at is not null order by id desc limit $1`;

async function measureLatency(setup: BenchSetup, desk: MailDesk, seconds: number, say: Say): Promise<object> {
  say(`${CALM.perSecond} mails a second …`);
  const count = CALM.perSecond * seconds;
  const { accepted } = await desk.send({ ...CALM, count });
  const acceptedUs = new Map(accepted);
  const received = await desk.received(count);
  const toAccept = percentiles(accepted.map(([sentUs, us]) => us - sentUs));
  const toTicket = percentiles(received.map(([sentUs, us]) => us - (acceptedUs.get(sentUs) ?? sentUs)));
  const { rows } = await setup.sql.query<{ us: string }>(PROCESSED, [count]);
  const toProcess = percentiles(rows.map(({ us }) => Number(us)));
  say(`  accepted until processed: p50 ${toProcess.p50} ms, p99 ${toProcess.p99} ms`);
  say(`  sent until accepted: p50 ${toAccept.p50} ms, p99 ${toAccept.p99} ms`);
  say(`  accepted until ticket_started received: p50 ${toTicket.p50} ms, p99 ${toTicket.p99} ms`);
  return {
    perSecond: CALM.perSecond,
    count,
    acceptedMs: toAccept,
    processedMs: toProcess,
    ticketStartedMs: toTicket,
  };
}

interface Burst {
  readonly desk: MailDesk;
  readonly worker: BenchProcess;
  readonly count: number;
}

/** CPU time per mail describes the product better than the rate, which depends on the machine. */
async function measureBurst(setup: BenchSetup, { desk, worker, count }: Burst, say: Say): Promise<object> {
  say(`${count} mails at once …`);
  const postgres = await postgresPid(setup.sql);
  const used = () => ({
    api: cpuSeconds([desk.apiPid]),
    worker: cpuSeconds([worker.pid]),
    postgresql: cpuSeconds([postgres], { withChildren: true }),
  });
  const before = used();
  const begun = performance.now();
  const sent = await desk.send({ count, connections: AT_ONCE });
  await desk.received(count);
  const acceptedPerSecond = Math.round(count / sent.seconds);
  const processedPerSecond = Math.round(count / ((performance.now() - begun) / 1000));
  const after = used();
  const costs = (['api', 'worker', 'postgresql'] as const).map(
    (part) => [part, Math.round(((after[part] - before[part]) * 10_000) / count) / 10] as const,
  );
  say(`  ${acceptedPerSecond} a second accepted, ${processedPerSecond} a second processed and delivered to a webhook`);
  say(`  CPU of an email: ${costs.map(([part, ms]) => `${part} ${ms} ms`).join(', ')}`);
  return { count, acceptedPerSecond, processedPerSecond, cpuMs: Object.fromEntries(costs) };
}

/** Measured alone before and after, since the speed of a machine changes. */
async function measureBeside(
  setup: BenchSetup,
  desk: MailDesk,
  { rate, seconds }: Pick<MailBenchOptions, 'rate' | 'seconds'>,
  say: Say,
): Promise<object> {
  const receiver = await setup.receiver();
  const bench = await PipelineBench.prepare(setup, receiver, WEBHOOKS);
  const measure = async (name: string): Promise<Latency> => {
    const latency = await bench.latency({ perSecond: rate, seconds });
    say(`  ${rate} webhooks a second ${name}: p50 ${latency.p50} ms, p99 ${latency.p99} ms`);
    return latency;
  };
  await bench.latency({ perSecond: rate, seconds: 3 });
  say('webhooks beside mails …');
  const before = await measure('alone');
  const count = BESIDE.perSecond * (seconds + 2);
  const mails = desk.send({ ...BESIDE, count });
  await wait(1_000);
  const beside = await measure(`beside ${BESIDE.perSecond} mails a second`);
  await mails;
  await desk.received(count);
  const after = await measure('alone');
  const alone = Math.max(1, (before.p99 + after.p99) / 2);
  say(`  p99 beside mails is ${(beside.p99 / alone).toFixed(2)} times that of alone`);
  return { rate, mailsPerSecond: BESIDE.perSecond, before, beside, after, p99Ratio: beside.p99 / alone };
}

async function measureIdle(setup: BenchSetup, desk: MailDesk, say: Say): Promise<IdleMemory[]> {
  say('mailboxes that wait by IMAP …');
  const measured = await measureIdleMailboxes(setup, desk, IDLE_COUNTS);
  for (const { mailboxes, workers, mbEach, mbInAll } of measured)
    say(`  ${mailboxes}: ${workers} worker${workers > 1 ? 's' : ''} of ${mbEach} MB, ${mbInAll} MB in all`);
  return measured;
}

function percentiles(us: readonly number[]): { p50: number; p99: number } {
  const sorted = us.toSorted((a, b) => a - b);
  const at = (share: number): number => {
    const found = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return Math.round(found / 100) / 10;
  };
  return { p50: at(0.5), p99: at(0.99) };
}
