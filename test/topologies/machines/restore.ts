import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '#test/support/eventually.js';
import type { FaultOutcome } from './fault-outcome.js';
import { type Installation, runOperatorCommand } from './product.js';
import { type MachinesSystem, QUEUE_KEY } from './system.js';

/** Duration of the writes that the restore reverts. */
const TAKEN_BACK_MS = 8_000;
let count = 0;

/** The drill of docs/operations.md: stops everything, and restores the database to a point some seconds ago. */
export async function restoreToPoint(system: MachinesSystem): Promise<FaultOutcome> {
  const { postgres, apis, apps, installation } = system;
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
  if (knowsRestored(installation))
    await eventually(() => runOperatorCommand(apis[0]!.host, installation, ['restored']).then(() => true));
  await Promise.all(apps.map((app) => app.start()));
  const span = { fromMs, untilMs: Date.now() };
  return { takenBack: span, away: span };
}

/** Versions before the command skip it. */
const knowsRestored = ({ checkout }: Installation): boolean =>
  fs.existsSync(path.join(checkout, 'dist/apps/cli/src/commands/installation.js'));
