import { type Database, type DatabaseClock, MigrationRefused } from '#libs/database';
import { hasPendingMigrations, refuseForeignData } from '#libs/database';
import type { Settings } from '#libs/settings';
import {
  type BacklogService,
  type BacklogState,
  type QueueState,
  inspectRedis,
  readWorkerVersions,
} from '#libs/delivery';
import { checkDatabase, checkSharedQueue, checkRedis, checkClockSkew, checkWorkers } from './checks.js';
import { type CheckResult, type Finding, green, red, toFinding } from './finding.js';

export interface Installation {
  readonly settings: Settings;
  readonly clock: DatabaseClock;
  readonly database: Database;
  readonly backlog: BacklogService;
}

/** Undefined if the queue is in PostgreSQL, or the reason why Redis does not respond. */
export type QueueInspection = QueueState | string | undefined;

export async function inspectQueue(settings: Settings): Promise<QueueInspection> {
  if (!settings.REDIS_URL) return undefined;
  return inspectRedis(settings).catch(errorReason);
}

/** Checks the servers, then the processes. Skips the processes if the database is not migrated. */
export async function examineInstallation(
  installation: Installation,
  queue: QueueInspection,
  judgeBacklog: (state: BacklogState) => CheckResult,
): Promise<Finding[]> {
  const findings = await examineServers(installation, queue);
  if (!isMigrated(findings)) return findings;
  const { database, backlog } = installation;
  const [workers, state] = await Promise.all([readWorkerVersions(database.system()), backlog.read()]);
  return [
    ...findings,
    toFinding('workers', checkWorkers(workers)),
    ...(typeof queue === 'object' ? [toFinding('queue', checkSharedQueue(queue, workers.length))] : []),
    toFinding('backlog', judgeBacklog(state)),
  ];
}

/** Checks what must work before a process is started. */
export async function examineServers(installation: Installation, queue: QueueInspection): Promise<Finding[]> {
  return [
    toFinding('database', await examineDatabase(installation)),
    toFinding('clock', checkClockSkew(installation.clock.skewMs ?? 0)),
    ...examineQueue(queue),
    toFinding('migrations', await examineMigrations(installation.database.dataSource)),
  ];
}

/** Returns whether the tables exist that other checks read. */
export const isMigrated = (findings: readonly Finding[]): boolean =>
  findings.some(({ name, verdict }) => name === 'migrations' && verdict === 'green');

async function examineDatabase({ database, settings }: Installation): Promise<CheckResult> {
  const [{ version, superuser }] = await database.dataSource.query<[{ version: string; superuser: boolean }]>(
    `select split_part(current_setting('server_version'), ' ', 1) as version,
       current_setting('is_superuser')::boolean as superuser`,
  );
  return checkDatabase(version, superuser, settings);
}

async function examineMigrations(dataSource: Database['dataSource']): Promise<CheckResult> {
  try {
    await refuseForeignData(dataSource);
  } catch (error) {
    if (error instanceof MigrationRefused) return red(error.message);
    throw error;
  }
  return (await hasPendingMigrations(dataSource)) ? red('some are pending: run migrate up') : green('up to date');
}

export function examineQueue(queue: QueueInspection): Finding[] {
  if (queue === undefined) return [toFinding('queue', green('in PostgreSQL: REDIS_URL is not set'))];
  if (typeof queue === 'string') return [toFinding('queue', red(`Redis cannot be used: ${queue}`))];
  return [toFinding('queue', checkRedis(queue))];
}

/** Omits credentials, because some messages contain an address with a password. */
export function errorReason(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return code ?? (message || String(error)).replaceAll(/\S+/g, withoutCredentials);
}

function withoutCredentials(word: string): string {
  const start = word.indexOf('//') + 2;
  const end = word.lastIndexOf('@');
  return start > 1 && start <= end ? `${word.slice(0, start)}…${word.slice(end)}` : word;
}
