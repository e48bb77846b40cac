// @module-tag long
import { Database, DatabaseClock, DatabaseModule } from '#libs/database';
import { SETTINGS_TOKEN, type Settings, SettingsModule } from '#libs/settings';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import '../../apps/worker/src/deliveries/attempt/attempt.statements.js';
import { AttemptPolicyService } from '../../apps/worker/src/deliveries/attempt/attempt-policy.service.js';
import { PLANNING } from '../../apps/worker/src/worker.module.js';
import { HOT_STATEMENTS, WarmUpService } from '../../apps/worker/src/warm-up.service.js';
import { type Desk, startDesk } from '#test/support/desk.js';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

it('prepares the statements of every event before the worker is ready', async () => {
  const settings = desk.api.get<Settings>(SETTINGS_TOKEN, { strict: false });
  const database = await connectionsOfItsOwn(settings);
  const policy = new AttemptPolicyService(settings, desk.clock);
  const warmUp = new WarmUpService(database, policy, settings);

  warmUp.start();
  expect(warmUp.isWarming).toBe(true);
  await warmUp.stop();
  expect(warmUp.isWarming).toBe(false);
  expect(await preparedOnEach(database)).toEqual(
    Array.from({ length: 4 }, () => expect.arrayContaining(HOT_STATEMENTS)),
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
