import { Client } from 'pg';
import type { Desk } from './desk.js';
import { eventually } from './eventually.js';

/** A transaction of another client, which ends with its connection at the latest. */
export async function beginRival(desk: Desk): Promise<Client> {
  const rival = new Client({ connectionString: desk.environment['DATABASE_URL'] });
  await rival.connect();
  await rival.query('begin');
  return rival;
}

/** Waits until this many sessions of the desk wait for a lock. */
export async function lockWaits(desk: Desk, count = 1): Promise<void> {
  await eventually(async () => (await lockWaiters(desk)) === count);
}

export async function lockWaiters(desk: Desk): Promise<number> {
  const { rowCount } = await desk.sql.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rowCount ?? 0;
}

export const lockAgent = (rival: Client, id: string): Promise<unknown> =>
  rival.query('select from agents where id = $1 for no key update', [id]);
