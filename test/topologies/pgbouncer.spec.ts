// @module-tag long
import { Database, createDataSource, systemStatement } from '#libs/database';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PLANNING } from '../../apps/worker/src/worker.module.js';
import { runCli } from '../cli/run.js';
import { recordEvents } from '../faults/traffic.js';
import { withClient } from '#test/support/database.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import { POOL_SIZE, PgBouncer } from './support/pgbouncer.js';

const IN_FORCE = systemStatement(
  'test_settings_in_force',
  'It reads no row',
  `select current_setting('statement_timeout') as timeout, current_setting('enable_seqscan') as seqscan,
     current_setting('plan_cache_mode') as plans`,
);
const SLEEP = systemStatement('test_sleep', 'It reads no row', 'select pg_sleep($1)');
const WHAT_IS_NOT_THERE = systemStatement('test_missing', 'It reads no row', 'select no_such_column');

const FOR_WORKERS = { timeout: '30s', seqscan: 'off', plans: 'force_generic_plan' };
const AS_POSTGRES_HAS_IT = { timeout: '0', seqscan: 'on', plans: 'auto' };

const WORKERS = 2;

let pooler: PgBouncer;
let desk: Desk;
let database: Database;

beforeAll(async () => {
  pooler = await PgBouncer.inFrontOf(process.env['DATABASE_URL']!);
  desk = await startDesk({ pooler });
  database = new Database(await createDataSource(desk.settings, 'tests', PLANNING).initialize());
});
afterEach(() => pooler.thaw());
afterAll(async () => {
  await database.dataSource.destroy();
  await desk.stop();
  await pooler.stop();
});

describe('the product behind PgBouncer in transaction mode', () => {
  it('delivers with two workers, each with one session of its own', async () => {
    for (let count = 0; count < WORKERS; count++) await desk.worker();
    const receiver = await desk.receiver();
    await desk.webhook('customer_added', receiver.url);

    await recordEvents(desk, 200);

    await receiver.received(200);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(200);
    const { through } = await eventually(async () => {
      const now = await sessions();
      return now.past === WORKERS && now;
    });
    expect(through).toBeLessThanOrEqual(POOL_SIZE);
  });

  it('delivers again after a restart of PgBouncer', async () => {
    const receiver = await desk.receiver();
    await desk.webhook('customer_added', receiver.url);

    await pooler.restart();

    await eventually(() => recordEvents(desk, 1).then(() => true));
    expect(await receiver.received(1)).toHaveLength(1);
  });

  it('names the missing address where only that of the pooler is set', async () => {
    const worker = await desk.worker({ DATABASE_DIRECT_URL: '' });

    expect(await worker.exited).toBe(1);
    expect(worker.output()).toContain('Set DATABASE_DIRECT_URL to the address of PostgreSQL itself');
  });

  it('bypasses it for migrations', async () => {
    expect(await runCli(['migrate', 'up'], desk.environment)).toMatchObject({ code: 0, err: '' });
  });
});

describe('a statement through PgBouncer', () => {
  it('has the settings of its process, alone and in a transaction, and leaves none behind', async () => {
    const system = database.system();
    const alone = await Promise.all(Array.from({ length: 20 }, () => system.row(IN_FORCE)));
    const inTransaction = await database.systemTransaction((tx) => tx.row(IN_FORCE));
    // A client of the pooler that sends no settings to PostgreSQL.
    const { rows: others } = await withClient(desk.settings.DATABASE_URL, (stranger) => stranger.query(IN_FORCE.text));

    expect(new Set(alone.map((row) => JSON.stringify(row)))).toEqual(new Set([JSON.stringify(FOR_WORKERS)]));
    expect(inTransaction).toEqual(FOR_WORKERS);
    expect(others).toEqual([AS_POSTGRES_HAS_IT]);
  });

  it('fails alone, and succeeds on the same connections afterwards', async () => {
    const system = database.system();

    for (let time = 0; time < 10; time++)
      await expect(system.rows(WHAT_IS_NOT_THERE)).rejects.toThrow('no_such_column');

    expect(await system.row(IN_FORCE)).toEqual(FOR_WORKERS);
  });

  it('may take long, and fails within 15 seconds when its server has vanished', { timeout: 60_000 }, async () => {
    const system = database.system();
    expect(await system.rows(SLEEP, [6])).toHaveLength(1);

    const asked = system.rows(SLEEP, [30]).catch((error: Error) => error.message);
    await eventually(() => isSleeping());
    pooler.freeze();
    const begun = performance.now();

    expect(await asked).toContain('PostgreSQL does not respond');
    expect(performance.now() - begun).toBeLessThan(15_000);
  });
});

/** PgBouncer passes on the name of its client. */
async function sessions(): Promise<{ past: number; through: number }> {
  const { rows } = await desk.sql.query<{ past: number; through: number }>(
    `select (count(*) filter (where application_name in ('deskwire-bell', 'deskwire-queue')))::int as past,
       (count(*) filter (where application_name in ('deskwire-worker', 'deskwire-api')))::int as through
     from pg_stat_activity where datname = current_database()`,
  );
  return rows[0]!;
}

async function isSleeping(): Promise<boolean> {
  const { rowCount } = await desk.sql.query(
    `select from pg_stat_activity where query like '%pg_sleep%' and state = 'active' and pid <> pg_backend_pid()`,
  );
  return rowCount! > 0;
}
