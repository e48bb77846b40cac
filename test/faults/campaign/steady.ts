import { setTimeout as delay } from 'node:timers/promises';
import { ACCOUNTS, type RoundPlan } from './round-plan.js';
import { type RoundResult, runRound } from './round.js';
import type { BackendKind } from './fault-targets.js';
import { LOAD_EVENT_KINDS } from './load.js';
import { type SystemUnderTest, openSystem } from './system-under-test.js';

/** Pause of each of six clients: about 35 calls per second in total. */
const PAUSE_MS = 150;
/** The receivers that fail and hang; the first is well. */
const FAILING = 1;
const HANGING = 2;

const MIB = 1024 * 1024;
/** Room for caches and compiled code. Data kept per delivery would take far more. */
const BREATH_BYTES = 24 * MIB;
/** The size of a row with its indexes, times four. */
const ROW_BYTES = 2048;

type Say = (line: string) => unknown;

interface Sample {
  readonly memory: Readonly<Record<string, number>>;
  readonly tables: Readonly<Record<(typeof TABLES)[number], TableSize>>;
}

interface TableSize {
  readonly rows: number;
  readonly bytes: number;
}

const TABLES = ['outbox', 'owed_deliveries'] as const;

/**
 * A long round without kills: every event goes to a healthy receiver, one that always fails and one that hangs until
 * the load is over. Nothing may be lost, and no process or table may grow with past traffic.
 */
export async function runSteady(queue: BackendKind, minutes: number, say: Say): Promise<RoundResult> {
  const fixture = await openSystem(queue);
  try {
    const [result, samples] = await Promise.all([
      runRound(fixture, planSteady(queue, minutes)),
      sampleEachMinute(fixture, minutes, say),
    ]);
    const atRest = await sampleOf(fixture);
    say(`  at rest: ${sampleText(atRest)}`);
    return { ...result, problems: [...result.problems, ...growth([...samples, atRest]), ...bloat(samples, atRest)] };
  } finally {
    await fixture.close();
  }
}

function planSteady(queue: BackendKind, minutes: number): RoundPlan {
  const loadMs = Math.round(minutes * 60_000);
  const webhooks = Array.from({ length: ACCOUNTS }, (_none, account) =>
    LOAD_EVENT_KINDS.flatMap((kind) => [0, FAILING, HANGING].map((receiver) => ({ account, kind, receiver }))),
  ).flat();
  const throughout = { atMs: 0, durationMs: loadMs };
  return {
    round: 1,
    queue,
    loadMs,
    pauseMs: PAUSE_MS,
    webhooks,
    bursts: [],
    faults: [
      { fault: 'receiver busy', targetIndex: FAILING, ...throughout },
      { fault: 'receiver hangs', targetIndex: HANGING, ...throughout },
    ],
  };
}

/** A run shorter than a minute is checked once, at its end. */
async function sampleEachMinute(fixture: SystemUnderTest, minutes: number, say: Say): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let minute = 1; minute <= Math.max(1, minutes); minute++) {
    await delay(Math.min(1, minutes) * 60_000);
    samples.push(await sampleOf(fixture));
    say(`  minute ${minute}: ${sampleText(samples.at(-1)!)}`);
  }
  return samples;
}

async function sampleOf(fixture: SystemUnderTest): Promise<Sample> {
  const memory = await Promise.all(
    fixture.processes.map(async (one) => [one.name, (await one.memory()).held] as const),
  );
  const tables = await Promise.all(TABLES.map(async (table) => [table, await sizeOf(fixture, table)] as const));
  return { memory: Object.fromEntries(memory), tables: Object.fromEntries(tables) as Sample['tables'] };
}

function sizeOf(fixture: SystemUnderTest, table: string): Promise<TableSize> {
  const text = `select count(*)::int as rows, pg_total_relation_size('${table}')::float as bytes from ${table}`;
  return fixture.sql(async (client) => (await client.query<TableSize>(text)).rows[0]!);
}

function growth(samples: readonly Sample[]): string[] {
  const first = samples[0]!.memory;
  const last = samples.at(-1)!.memory;
  return Object.entries(last)
    .filter(([name, bytes]) => bytes - first[name]! > BREATH_BYTES)
    .map(([name, bytes]) => `${name} grew from ${mib(first[name]!)} to ${mib(bytes)} MiB`);
}

function bloat(samples: readonly Sample[], atRest: Sample): string[] {
  return TABLES.flatMap((table) => {
    const { rows, bytes } = atRest.tables[table];
    const most = Math.max(...samples.map(({ tables }) => tables[table].rows));
    const isBloated = bytes > MIB + most * ROW_BYTES;
    return [
      ...(rows > 0 ? [`${table} has ${rows} rows at rest`] : []),
      ...(isBloated ? [`${table} takes ${mib(bytes)} MiB, and never had more than ${most} rows`] : []),
    ];
  });
}

function sampleText({ memory, tables }: Sample): string {
  const held = Object.entries(memory).map(([name, bytes]) => `${name} ${mib(bytes)}`);
  const sizes = Object.entries(tables).map(([name, { rows, bytes }]) => `${name} ${rows} rows, ${mib(bytes)} MiB`);
  return `MiB held: ${held.join(', ')}; ${sizes.join('; ')}`;
}

const mib = (bytes: number): string => (bytes / MIB).toFixed(1);
