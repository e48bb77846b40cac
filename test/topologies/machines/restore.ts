import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '#test/support/eventually.js';
import type { FaultOutcome } from './measures.js';
import { runOperatorCommand } from './product.js';
import { type MachinesSystem, QUEUE_KEY } from './system.js';

/** Duration of the writes that the restore reverts. */
const TAKEN_BACK_MS = 8_000;
let count = 0;

/** The drill of docs/operations.md: stops everything, and restores the database to a point some seconds ago. */
export async function restoreToPoint(system: MachinesSystem): Promise<FaultOutcome> {
  const { postgres, apis, apps, environment } = system;
  const point = `point${++count}`;
  const primary = await eventually(() => postgres.primary());
  await postgres.backUp(primary);
  const fromMs = Date.now();
  await postgres.operatorSql(primary, `select pg_create_restore_point('${point}')`);
  await delay(TAKEN_BACK_MS);
  await postgres.operatorSql(primary, 'select pg_switch_wal()');
  await Promise.all(apps.map((app) => app.stop()));
  await postgres.restoreTo(point, primary);
  await (await system.redis.ownerOf(QUEUE_KEY)).ask((redis) => redis.flushall());
  await eventually(() => runOperatorCommand(apis[0]!.host, environment, ['restored']).then(() => true));
  await Promise.all(apps.map((app) => app.start()));
  const span = { fromMs, untilMs: Date.now() };
  return { takenBack: span, away: span };
}
