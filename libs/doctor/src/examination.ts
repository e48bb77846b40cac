import { type Clock, type Database, pendingMigrations } from '#libs/database';
import type { Settings } from '#libs/settings';
import { type Backlog, type BacklogState, type QueueState, inspectRedis } from '#libs/webhooks';
import { type Finding, type Judged, green, named, red } from './finding.js';
import { judgeMark, judgeRedis, judgeSkew, judgeWorkers } from './judgements.js';

/** What the looking is done with. */
export interface Ground {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly database: Database;
  readonly backlog: Backlog;
}

/** Undefined where the queue is in PostgreSQL, and a sentence where it cannot be asked. */
export type Inspected = QueueState | string | undefined;

export async function inspectQueue(settings: Settings): Promise<Inspected> {
  if (!settings.REDIS_URL) return undefined;
  return inspectRedis(settings, settings.REDIS_URL).catch(reason);
}

/** What everything stands on. Without its migrations the rest of the database says nothing, so it is not asked. */
export async function examineGround(
  ground: Ground,
  queue: Inspected,
  tellBacklog: (state: BacklogState) => Judged,
): Promise<Finding[]> {
  const { version, skewMs } = await askDatabase(ground);
  const findings = [
    named('database', green(`PostgreSQL ${version}`)),
    named('clock', judgeSkew(skewMs)),
    ...examineQueue(queue),
  ];
  if (await pendingMigrations(ground.database.dataSource))
    return [...findings, named('migrations', red('some are missing: run migrate up'))];
  const [workers, state] = await Promise.all([ground.backlog.workers(), ground.backlog.read()]);
  return [
    ...findings,
    named('migrations', green('all are there')),
    named('workers', judgeWorkers(workers)),
    ...(typeof queue === 'object' ? [named('queue mark', judgeMark(queue, workers.length))] : []),
    named('backlog', tellBacklog(state)),
  ];
}

async function askDatabase({ database, clock }: Ground): Promise<{ version: string; skewMs: number }> {
  const before = clock.now().getTime();
  const { rows } = await database
    .pool()
    .query<{ version: string; now: Date }>(
      `select current_setting('server_version') as version, clock_timestamp() as now`,
    );
  const here = (before + clock.now().getTime()) / 2;
  return { version: rows[0]!.version.split(' ')[0] ?? '', skewMs: here - rows[0]!.now.getTime() };
}

export function examineQueue(queue: Inspected): Finding[] {
  if (queue === undefined) return [named('queue', green('in PostgreSQL: REDIS_URL is not set'))];
  if (typeof queue === 'string') return [named('queue', red(`Redis cannot be reached: ${queue}`))];
  return [named('queue', judgeRedis(queue))];
}

/** Never the whole error: addresses with passwords stand in some. */
export function reason(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return code ?? (message || String(error)).replaceAll(/\/\/[^@\s]*@/g, '//…@');
}
