import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from 'pg';
import { BenchSetup } from './bench-setup.js';
import { PipelineBench } from './pipeline-bench.js';

const WEBHOOKS = 20;
const QUIET_DELIVERIES = 300;

/** Tables that fill and empty with the work. Partitions of the history start with these names. */
const BUSY_TABLES = '^(outbox|owed_deliveries|events_|deliveries_|attempts_)';

export interface Burst {
  readonly deliveries: number;
  /** PostgreSQL gathered its statistics during the burst. */
  readonly freshSeconds: number;
  /** PostgreSQL gathered its statistics while nothing was owed, and autovacuum does not run. */
  readonly quietSeconds: number;
  readonly ratio: number;
}

/**
 * A burst after a quiet time. While nothing is owed, the statistics of PostgreSQL show empty tables. Plans based on
 * them must not slow down the burst. Each burst has a new worker, so that no plan remains from the one before.
 */
export async function measureQuiet(counts: readonly number[], say: (line: string) => void): Promise<object> {
  const setup = await BenchSetup.open();
  try {
    await switchAutovacuum(setup.sql, 'off');
    const bursts: Burst[] = [];
    for (const deliveries of counts) bursts.push(await measureBursts(setup, deliveries, say));
    return { bursts };
  } finally {
    await switchAutovacuum(setup.sql, 'on');
    await setup.close();
  }
}

async function measureBursts(setup: BenchSetup, deliveries: number, say: (line: string) => void): Promise<Burst> {
  const seconds = { fresh: 0, quiet: 0 };
  for (const statistics of ['fresh', 'quiet'] as const) {
    seconds[statistics] = await burst(setup, deliveries, statistics);
    say(`${deliveries.toLocaleString('en')} deliveries, ${statistics}: ${seconds[statistics].toFixed(1)} s`);
  }
  return {
    deliveries,
    freshSeconds: seconds.fresh,
    quietSeconds: seconds.quiet,
    ratio: seconds.quiet / seconds.fresh,
  };
}

async function burst(setup: BenchSetup, count: number, statistics: 'fresh' | 'quiet'): Promise<number> {
  const { sql } = setup;
  await sql.query('vacuum outbox, owed_deliveries');
  const bench = await PipelineBench.prepare(setup, await setup.receiver(), WEBHOOKS);
  const worker = setup.worker();
  await bench.drain(QUIET_DELIVERIES);
  await untilNothingIsOwed(sql);
  await sql.query('analyze');
  const arrived = bench.drainToAll(count / WEBHOOKS);
  if (statistics === 'fresh') {
    await untilSomethingIsOwed(sql);
    await sql.query('analyze');
  }
  const { seconds } = await arrived;
  await untilNothingIsOwed(sql);
  await worker.stop();
  return seconds;
}

const untilNothingIsOwed = (sql: Client) => untilOwed(sql, 'not exists (select from outbox) and not');
const untilSomethingIsOwed = (sql: Client) => untilOwed(sql, '');

async function untilOwed(sql: Client, sought: string): Promise<void> {
  for (;;) {
    const { rows } = await sql.query<{ yes: boolean }>(`select ${sought} exists (select from owed_deliveries) as yes`);
    if (rows[0]!.yes) return;
    await wait(5);
  }
}

async function switchAutovacuum(sql: Client, state: 'on' | 'off'): Promise<void> {
  const { rows } = await sql.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relname ~ $1",
    [BUSY_TABLES],
  );
  for (const { name } of rows) await sql.query(`alter table ${name} set (autovacuum_enabled = ${state})`);
}
