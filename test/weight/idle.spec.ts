import { afterAll, beforeAll, expect, it } from 'vitest';
import { idleWeight } from '../../bench/weight/idle.js';
import { eventually } from '../support/eventually.js';
import { WeighedDesk } from './weighed-desk.js';

/** Four times as long as an idle worker waits for a job. */
const SECONDS = 32;

let weighed: WeighedDesk;

beforeAll(async () => {
  weighed = await WeighedDesk.start();
});
afterAll(() => weighed.stop());

it('costs the servers little while nothing happens', { timeout: 120_000 }, async () => {
  await eventually(async () => (await weighed.desk.sql.query('select from worker_heartbeats')).rowCount === 1);

  const { statements, commits, redisCommands } = await idleWeight(weighed.counters, SECONDS);

  for (const perSecond of [statements, commits, redisCommands]) expect(perSecond).toBeGreaterThan(1);
  expect(statements).toBeLessThanOrEqual(3);
  expect(commits).toBeLessThanOrEqual(3);
  expect(redisCommands).toBeLessThanOrEqual(5);
});
