import type { Settings } from '#libs/settings';
import type { SecretsKeyUsage } from '#libs/secret-box';
import { type BacklogState, type QueueState, WORKER_GONE_AFTER_MS, evictionFault } from '#libs/delivery';
import { MAX_SKEW_MS } from '#libs/database';
import type { ProcessClock } from './doctor.statements.js';
import { type CheckResult, amber, green, red } from './finding.js';
import { weakSettings } from './weak-settings.js';

const DAY_SECONDS = 86_400;

const NOTICED_SKEW_MS = 1_000;

export function checkSettings(settings: Settings): CheckResult[] {
  const { NODE_ENV, SECRETS_KEY, RETENTION_DAYS, WEBHOOK_RETRY_SCHEDULE } = settings;
  const found = weakSettings(settings);
  if (RETENTION_DAYS < WEBHOOK_RETRY_SCHEDULE.reduce((sum, one) => sum + one, 0) / DAY_SECONDS)
    found.push(
      amber(`RETENTION_DAYS is ${RETENTION_DAYS}, shorter than the retry schedule: late retries are cut off. Raise it`),
    );
  if (found.length > 0) return found;
  return [
    green(NODE_ENV === 'production' ? `valid, for production; ${SECRETS_KEY.length} key(s)` : `valid, for ${NODE_ENV}`),
  ];
}

export function checkDatabase(version: string, isSuperuser: boolean, { NODE_ENV }: Settings): CheckResult {
  if (isSuperuser && NODE_ENV === 'production')
    return amber(
      `PostgreSQL ${version}, connected as a superuser, which can also read files and run programs: use a role that owns only this database`,
    );
  return green(`PostgreSQL ${version}`);
}

export const checkClockSkew = (skewMs: number): CheckResult =>
  judgeSkew(skewMs, `this clock differs from the database's by ${Math.round(Math.abs(skewMs))} ms`);

function judgeSkew(skewMs: number, words: string): CheckResult {
  const off = Math.abs(skewMs);
  if (off < NOTICED_SKEW_MS) return green(words);
  return off < MAX_SKEW_MS ? amber(`${words}. Synchronise both with NTP`) : red(`${words}. Synchronise both with NTP`);
}

export function checkProcessClocks(processes: readonly ProcessClock[]): CheckResult[] {
  const judged = processes.map(({ kind, host, pid, skewMs }) => {
    const off = skewMs ?? 0;
    return judgeSkew(off, `the clock of ${host} (${kind} ${pid}) differs from the database's by ${Math.abs(off)} ms`);
  });
  const found = judged.filter(({ verdict }) => verdict !== 'green');
  const agree = green('the clocks of all APIs and workers agree with the database');
  return found.length > 0 || processes.length === 0 ? found : [agree];
}

export function checkRedis(state: QueueState): CheckResult {
  const { version, keepsOnDisk, refusedToRequests } = state;
  const fault = evictionFault(state);
  if (fault) return red(fault);
  if (refusedToRequests !== undefined) return red(refusedToRequests);
  if (!keepsOnDisk)
    return amber(
      `Redis ${version} stores nothing on disk: set appendonly yes, or each restart empties the queue and workers fill it again`,
    );
  return green(`Redis ${version}, noeviction, append-only file`);
}

export function checkSharedQueue({ hasWorkers }: QueueState, workers: number): CheckResult {
  if (hasWorkers) return green('workers use this queue');
  if (workers === 0) return green('no worker is running');
  return red('running workers use another queue: check that they have the same REDIS_URL and QUEUE_PREFIX');
}

export function checkBacklog(state: BacklogState): CheckResult {
  const total = Object.values(state.owed).reduce((sum, count) => sum + count, 0);
  const { verdict, words } = checkLateness(state);
  return { verdict, words: `${total} pending, ${state.owed.waiting} of them waiting for a retry; ${words}` };
}

/** Shows no count: agents may see whether the installation works, not how much other accounts use it. */
export function checkLateness({ oldestDueSeconds, oldestUnrelayedSeconds }: BacklogState): CheckResult {
  const late = Math.round(Math.max(oldestDueSeconds, oldestUnrelayedSeconds));
  const words = `an event or delivery is ${late} s late`;
  if (late > 600) return red(`${words}: start more workers`);
  return late > 30 ? amber(words) : green('all deliveries are on time');
}

export function checkWorkers(versionsOfWorkers: readonly string[]): CheckResult {
  if (versionsOfWorkers.length === 0)
    return red(`no worker seen in the last ${WORKER_GONE_AFTER_MS / 1000} seconds: nothing is delivered. Start one`);
  const versions = [...new Set(versionsOfWorkers)];
  const words = `${versionsOfWorkers.length} running, version ${versions.join(' and ')}`;
  return versions.length > 1 ? amber(`${words}: finish the upgrade`) : green(words);
}

export function checkSecrets(keys: readonly SecretsKeyUsage[], newest: string): CheckResult {
  const closed = keys.filter(({ opens }) => !opens);
  if (closed.length > 0)
    return red(
      `SECRETS_KEY cannot decrypt some secrets (${names(closed)}): restore the missing key, or their deliveries are not sent`,
    );
  const older = keys.filter(({ keyId }) => keyId !== newest);
  if (older.length > 0) return amber(`some secrets use older keys (${names(older)}): run webhooks reseal`);
  return green(keys.length === 0 ? 'none stored yet' : `all can be decrypted, ${names(keys)}`);
}

const names = (keys: readonly SecretsKeyUsage[]): string =>
  keys.map(({ keyId, count }) => `${count} by ${keyId}`).join(', ');
