import { type Database, type ReplicaState, inspectReplica } from '#libs/database';
import type { Settings } from '#libs/settings';
import { errorReason } from './examination.js';
import { type CheckResult, type Finding, amber, green, red, toFinding } from './finding.js';

/** Nothing where none is set. */
export async function examineReplica(database: Database, settings: Settings): Promise<Finding[]> {
  const { DATABASE_REPLICA_URL: url, DATABASE_REPLICA_MAX_LAG_MS: maxLagMs } = settings;
  if (url === undefined) return [];
  try {
    return [toFinding('replica', checkReplica(await inspectReplica(url, database), maxLagMs))];
  } catch (error) {
    return [toFinding('replica', red(`cannot be reached, so the primary is read: ${errorReason(error)}`))];
  }
}

export function checkReplica({ isStandby, missingBytes, lastCommitMs }: ReplicaState, maxLagMs: number): CheckResult {
  if (!isStandby) return amber('DATABASE_REPLICA_URL leads to a server that takes writes: point it to a replica');
  if (missingBytes === 0) return green('has everything');
  const since = lastCommitMs === null ? 'since it was started' : `for ${Math.ceil(lastCommitMs / 1000)} s at most`;
  const words = `is behind by ${missingBytes} bytes, ${since}`;
  return lastCommitMs === null || lastCommitMs > maxLagMs
    ? amber(`${words}: while it is, the primary is read`)
    : green(words);
}
