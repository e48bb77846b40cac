import { readFileSync, readdirSync } from 'node:fs';
import type { Client } from 'pg';
import { parentOf } from './cpu.js';
import { BenchSetup } from './delivery/bench-setup.js';
import { percentiles, run, type Contestant } from './one/contestant.js';
import { startArrivals } from './one/first-seconds.js';
import { Product } from './one/product.js';

const PER_SECOND = 60;
const SECONDS_OF_A_MINUTE = 60;

interface Minute {
  readonly minute: number;
  readonly arrived: number;
  readonly p50: number;
  readonly p99: number;
  /** MB by process; shared memory is divided among the processes. */
  readonly mb: Readonly<Record<string, number>>;
  readonly tables: Readonly<Record<string, TableSize>>;
}

interface TableSize {
  readonly rows: number;
  readonly kb: number;
}

/** Runs for hours: messages to ten webhooks, of which one always fails and one hangs. Reports each minute. */
export async function measureSoak(minutes: number, say: (line: string) => void): Promise<object> {
  const setup = await BenchSetup.open();
  try {
    const product = await Product.start(setup, await startArrivals(setup));
    const contestant = await product.contestant('eight receivers of ten');
    const told: Minute[] = [];
    for (let minute = 1; minute <= minutes; minute++) {
      told.push(await oneMinute(setup.sql, contestant, minute));
      say(lineOf(told.at(-1)!));
    }
    await product.stop();
    say(`p99 of the last sixth: ${ratioOfEnds(told).toFixed(2)} times that of the first`);
    return { perSecond: PER_SECOND, minutes: told, lastToFirst: ratioOfEnds(told) };
  } finally {
    await setup.close();
  }
}

async function oneMinute(sql: Client, contestant: Contestant, minute: number): Promise<Minute> {
  const { arrivals } = await run(contestant, { perSecond: PER_SECOND, seconds: SECONDS_OF_A_MINUTE });
  const { p50, p99 } = percentiles(arrivals);
  const mb = Object.entries(contestant.pids).map(([name, pid]) => [name, sharedMb(pid)] as const);
  const tables = { owed_deliveries: await sizeOf(sql, 'owed_deliveries'), outbox: await sizeOf(sql, 'outbox') };
  return { minute, arrived: arrivals.length, p50, p99, mb: Object.fromEntries(mb), tables };
}

async function sizeOf(sql: Client, table: string): Promise<TableSize> {
  const { rows } = await sql.query<TableSize>(
    `select (select count(*)::int from ${table}) as rows, (pg_total_relation_size('${table}') / 1024)::int as kb`,
  );
  return rows[0]!;
}

/** A process and its children. */
function sharedMb(pid: number): number {
  const all = [
    pid,
    ...readdirSync('/proc')
      .map(Number)
      .filter((one) => parentOf(one) === pid),
  ];
  return Math.round(all.reduce((sum, one) => sum + proportionalKb(one), 0) / 1024);
}

function proportionalKb(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    // A PostgreSQL connection that has just ended.
    return 0;
  }
}

function lineOf({ minute, arrived, p50, p99, mb, tables }: Minute): string {
  const memory = Object.entries(mb).map(([name, size]) => `${name} ${size}`);
  const sizes = Object.entries(tables).map(([name, { rows, kb }]) => `${name} ${rows} rows, ${kb} KB`);
  const times = `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms`;
  return `minute ${minute}: ${arrived} arrived, ${times}; MB: ${memory.join(', ')}; ${sizes.join('; ')}`;
}

/** Medians, because a single minute may contain a bad moment of the machine. */
function ratioOfEnds(minutes: readonly Minute[]): number {
  const sixth = Math.max(1, Math.floor(minutes.length / 6));
  const middle = (some: readonly Minute[]): number =>
    some.map(({ p99 }) => p99).toSorted((a, b) => a - b)[some.length >> 1]!;
  return middle(minutes.slice(-sixth)) / middle(minutes.slice(0, sixth));
}
