// @module-tag long
import { Database, DatabaseClock, DatabaseModule } from '#libs/database';
import { SETTINGS_TOKEN, type Settings, SettingsModule } from '#libs/settings';
import { NestFactory } from '@nestjs/core';
import { expect, it, onTestFinished } from 'vitest';
import { HOT_STATEMENTS, warmUp } from '../../apps/api/src/health/warm-up.js';
import { ApiReadinessService } from '../../apps/api/src/health/api-readiness.service.js';
import '../../apps/worker/src/deliveries/attempt/attempt.statements.js';
import { AttemptPolicyService } from '../../apps/worker/src/deliveries/attempt/attempt-policy.service.js';
import { HOT_STATEMENTS as WORKER_STATEMENTS, WarmUpService } from '../../apps/worker/src/warm-up.service.js';
import { PLANNING } from '../../apps/worker/src/worker.module.js';
import { deskForFile } from '#test/support/desk-for-file.js';

const desk = deskForFile();

async function connections(): Promise<number> {
  const { rows } = await desk.sql.query<{ count: number }>(
    "select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name = 'deskwire-api'",
  );
  return rows[0]!.count;
}

async function written(): Promise<unknown> {
  const { rows } = await desk.sql.query(
    `select (select count(*) from tickets) as tickets, (select count(*) from messages) as messages,
       (select count(*) from events) as events, (select count(*) from customers) as customers`,
  );
  return rows[0];
}

it('has connections open once an API is ready', async () => {
  const before = await connections();
  await desk.apiProcess();

  expect(await connections()).toBeGreaterThanOrEqual(before + 4);
});

it('warms up connections with the statements of most requests prepared and none run', async () => {
  const before = await written();
  await warmUp(desk.api);

  const pool = desk.api.get(Database).pool();
  const clients = await Promise.all(Array.from({ length: 4 }, () => pool.connect()));
  for (const client of clients) {
    const { rows } = await client.query<{ name: string; plans: number }>(
      'select name, (generic_plans + custom_plans)::int as plans from pg_prepared_statements',
    );
    client.release();
    const prepared = [...HOT_STATEMENTS, 'tx_begin', 'tx_commit'].map((name) => ({ name, plans: 0 }));
    expect(rows).toHaveLength(prepared.length);
    expect(rows).toEqual(expect.arrayContaining(prepared));
  }
  expect(await written()).toEqual(before);
});

it('makes an API ready, if not warm, when its tables are locked', async () => {
  await desk.sql.query('begin; lock table tickets in access exclusive mode');
  try {
    await expect(warmUp(desk.api)).resolves.toBeUndefined();
  } finally {
    await desk.sql.query('rollback');
  }
});

it('answers during the warm-up, but not as ready', async () => {
  const readiness = desk.api.get(ApiReadinessService, { strict: false });
  readiness.warming = true;

  expect((await fetch(`${desk.base}/readyz`)).status).toBe(503);
  expect((await desk.client().get('/v1/me')).status).toBe(200);
  readiness.warming = false;
  expect((await fetch(`${desk.base}/readyz`)).status).toBe(200);
});

it('prepares the statements of every event before the worker is ready', async () => {
  const settings = desk.api.get<Settings>(SETTINGS_TOKEN, { strict: false });
  const database = await connectionsOfItsOwn(settings);
  const policy = new AttemptPolicyService(settings, desk.clock);
  const service = new WarmUpService(database, policy, settings);

  service.start();
  expect(service.isWarming).toBe(true);
  await service.stop();
  expect(service.isWarming).toBe(false);
  expect(await preparedOnEach(database)).toEqual(
    Array.from({ length: 4 }, () => expect.arrayContaining(WORKER_STATEMENTS)),
  );
});

/** The connections of the API are never all idle. */
async function connectionsOfItsOwn(settings: Settings): Promise<Database> {
  const imports = [
    SettingsModule.forRoot(settings),
    DatabaseModule.forRoot({ app: 'worker', planning: PLANNING, clock: new DatabaseClock() }),
  ];
  const context = await NestFactory.createApplicationContext({ module: class {}, imports }, { logger: false });
  onTestFinished(() => context.close());
  return context.get(Database);
}

async function preparedOnEach(database: Database): Promise<string[][]> {
  const clients = await Promise.all(Array.from({ length: 4 }, () => database.pool().connect()));
  const names = clients.map(async (client) => {
    const { rows } = await client.query<{ name: string }>('select name from pg_prepared_statements');
    client.release();
    return rows.map(({ name }) => name);
  });
  return Promise.all(names);
}
