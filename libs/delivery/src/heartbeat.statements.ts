import { type SystemConnection, systemStatement } from '#libs/database';
import { WORKER_GONE_AFTER_MS } from './heartbeat.js';

const WORKERS = systemStatement(
  'heartbeat_workers',
  'Workers serve all accounts',
  `select version from worker_heartbeats
   where seen_at > clock_timestamp() - $1::int * interval '1 millisecond' order by started_at`,
);

/** One for each live worker. */
export async function readWorkerVersions(db: SystemConnection): Promise<string[]> {
  const workers = await db.rows<{ version: string }>(WORKERS, [WORKER_GONE_AFTER_MS]);
  return workers.map(({ version }) => version);
}
