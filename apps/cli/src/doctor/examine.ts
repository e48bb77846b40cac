import { pendingMigrations } from '#libs/database';
import { InvalidSettings, type Settings, readSettings } from '#libs/settings';
import { type QueueState, inspectRedis } from '#libs/webhooks';
import { type Operator, asOperator } from '../operator.js';
import { type Finding, type Judged, green, red } from './finding.js';
import {
  judgeBacklog,
  judgeMark,
  judgeRedis,
  judgeSecrets,
  judgeSettings,
  judgeSkew,
  judgeWorkers,
} from './judgements.js';

/** One after the other, each on its own: what is broken keeps only those from being looked at that stand on it. */
export async function examine(): Promise<Finding[]> {
  const settings = settingsOrFaults();
  if ('faults' in settings) return settings.faults.map((words) => ({ verdict: 'red', name: 'settings', words }));
  const first = named('settings', judgeSettings(settings));
  const queue = await inspectQueue(settings);
  try {
    return [first, ...(await asOperator((operator) => examineDatabase(operator, queue), settings))];
  } catch (error) {
    return [first, named('database', red(`cannot be reached: ${reason(error)}`)), ...examineRedis(queue)];
  }
}

function settingsOrFaults(): Settings | { readonly faults: readonly string[] } {
  try {
    return readSettings();
  } catch (error) {
    if (error instanceof InvalidSettings) return { faults: error.faults };
    throw error;
  }
}

/** Undefined where the queue is in PostgreSQL, and a sentence where it cannot be asked. */
type Inspected = QueueState | string | undefined;

async function inspectQueue(settings: Settings): Promise<Inspected> {
  if (!settings.REDIS_URL) return undefined;
  return inspectRedis(settings, settings.REDIS_URL).catch(reason);
}

async function examineDatabase(operator: Operator, queue: Inspected): Promise<Finding[]> {
  const { database, settings } = operator;
  const { version, skewMs } = await askDatabase(operator);
  const findings = [
    named('database', green(`PostgreSQL ${version}`)),
    named('clock', judgeSkew(skewMs)),
    ...examineRedis(queue),
  ];
  if (await pendingMigrations(database.dataSource))
    return [...findings, named('migrations', red('some are missing: run migrate up'))];
  const workers = await operator.backlog.workers();
  return [
    ...findings,
    named('migrations', green('all are there')),
    named('workers', judgeWorkers(workers)),
    ...(typeof queue === 'object' ? [named('queue mark', judgeMark(queue, workers.length))] : []),
    named('backlog', judgeBacklog(await operator.backlog.read())),
    named('secrets', judgeSecrets(await operator.sealed.byKey(), settings.SECRETS_KEY[0]!.id)),
  ];
}

async function askDatabase({ database, clock }: Operator): Promise<{ version: string; skewMs: number }> {
  const before = clock.now().getTime();
  const { rows } = await database
    .pool()
    .query<{ version: string; now: Date }>(
      `select current_setting('server_version') as version, clock_timestamp() as now`,
    );
  const here = (before + clock.now().getTime()) / 2;
  return { version: rows[0]!.version.split(' ')[0] ?? '', skewMs: here - rows[0]!.now.getTime() };
}

function examineRedis(queue: Inspected): Finding[] {
  if (queue === undefined) return [named('queue', green('in PostgreSQL: REDIS_URL is not set'))];
  if (typeof queue === 'string') return [named('queue', red(`Redis cannot be reached: ${queue}`))];
  return [named('queue', judgeRedis(queue))];
}

const named = (name: string, judged: Judged): Finding => ({ name, ...judged });

/** Never the whole error: addresses with passwords stand in some. */
function reason(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return code ?? (message || String(error)).replaceAll(/\/\/[^@\s]*@/g, '//…@');
}
