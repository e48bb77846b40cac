import {
  type Clock,
  type Database,
  hasPendingMigrations,
  migrationsOfNewerVersion,
  systemStatement,
  tellNewer,
} from '#libs/database';
import type { Settings } from '#libs/settings';
import { type BacklogService, type BacklogState, type QueueState, inspectRedis } from '#libs/webhooks';
import { type Finding, type CheckResult, green, toFinding, red } from './finding.js';
import {
  type DatabaseState,
  checkDatabase,
  checkQueueMark,
  checkRedis,
  checkClockSkew,
  checkSearch,
  checkWorkers,
  type SearchWalks,
} from './checks.js';

const SEARCH_WALKS = systemStatement(
  'doctor_search_walks',
  'The operator watches the installation, not an account',
  'select count(*) filter (where finished_at is null)::integer as open, sum(found)::integer as found from search_walks',
);

/** What the looking is done with. */
export interface Installation {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly database: Database;
  readonly backlog: BacklogService;
}

/** Undefined where the queue is in PostgreSQL, and a sentence where it cannot be asked. */
export type QueueInspection = QueueState | string | undefined;

export async function inspectQueue(settings: Settings): Promise<QueueInspection> {
  if (!settings.REDIS_URL) return undefined;
  return inspectRedis(settings).catch(errorReason);
}

/** Checks the servers, then the processes. Skips the processes if the database is not migrated. */
export async function examineInstallation(
  ground: Installation,
  queue: QueueInspection,
  tellBacklog: (state: BacklogState) => CheckResult,
): Promise<Finding[]> {
  const findings = await examineServers(ground, queue);
  if (!isMigrated(findings)) return findings;
  return [...findings, ...(await examineProcesses(ground, queue, tellBacklog))];
}

/** Checks what must work before a process is started. */
export async function examineServers(ground: Installation, queue: QueueInspection): Promise<Finding[]> {
  const { version, superuser, skewMs } = await askDatabase(ground);
  return [
    toFinding('database', checkDatabase({ version, superuser }, ground.settings)),
    toFinding('clock', checkClockSkew(skewMs)),
    ...examineQueue(queue),
    toFinding('migrations', await examineMigrations(ground.database.dataSource)),
  ];
}

/** Whether the tables that other checks read are there. */
export const isMigrated = (findings: readonly Finding[]): boolean =>
  findings.some(({ name, verdict }) => name === 'migrations' && verdict === 'green');

async function examineProcesses(
  ground: Installation,
  queue: QueueInspection,
  tellBacklog: (state: BacklogState) => CheckResult,
): Promise<Finding[]> {
  const [workers, state, walks] = await Promise.all([
    ground.backlog.workers(),
    ground.backlog.read(),
    ground.database.system().row<SearchWalks>(SEARCH_WALKS),
  ]);
  return [
    toFinding('workers', checkWorkers(workers)),
    ...(typeof queue === 'object' ? [toFinding('queue mark', checkQueueMark(queue, workers.length))] : []),
    toFinding('backlog', tellBacklog(state)),
    toFinding('search', checkSearch(walks!)),
  ];
}

async function examineMigrations(dataSource: Database['dataSource']): Promise<CheckResult> {
  const newer = await migrationsOfNewerVersion(dataSource);
  if (newer.length > 0) return red(tellNewer(newer));
  return (await hasPendingMigrations(dataSource)) ? red('some are missing: run migrate up') : green('all are there');
}

async function askDatabase({ database, clock }: Installation): Promise<DatabaseState & { skewMs: number }> {
  const before = clock.now().getTime();
  const { rows } = await database.pool().query<{ version: string; superuser: boolean; now: Date }>(
    `select current_setting('server_version') as version, current_setting('is_superuser')::boolean as superuser,
         clock_timestamp() as now`,
  );
  const here = (before + clock.now().getTime()) / 2;
  const { version, superuser, now } = rows[0]!;
  return { version: version.split(' ')[0] ?? '', superuser, skewMs: here - now.getTime() };
}

export function examineQueue(queue: QueueInspection): Finding[] {
  if (queue === undefined) return [toFinding('queue', green('in PostgreSQL: REDIS_URL is not set'))];
  if (typeof queue === 'string') return [toFinding('queue', red(`Redis cannot be reached: ${queue}`))];
  return [toFinding('queue', checkRedis(queue))];
}

/** Never the whole error: addresses with passwords stand in some. */
export function errorReason(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return code ?? (message || String(error)).replaceAll(/\S+/g, withoutCredentials);
}

/** Of an address, whatever stands between `//` and the last `@`. */
function withoutCredentials(word: string): string {
  const start = word.indexOf('//') + 2;
  const end = word.lastIndexOf('@');
  return start > 1 && start <= end ? `${word.slice(0, start)}…${word.slice(end)}` : word;
}
