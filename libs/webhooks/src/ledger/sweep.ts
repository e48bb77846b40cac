import { type SystemConnection, systemStatement } from '#libs/database';

const SWEEP_OUTBOX = systemStatement(
  'retention_outbox',
  'What is kept is decided by its age alone, in every account',
  `with gone as (
     delete from outbox where ctid = any(array(select ctid from outbox where event_id < $1 limit $2 for update skip locked))
     returning 1
   ) select count(*)::int as count from gone`,
);

/** Finds something only where no worker has run for as long as events are kept. Says how many. */
export async function sweepOutbox(db: SystemConnection, beforeEventId: string, limit: number): Promise<number> {
  return (await db.row<{ count: number }>(SWEEP_OUTBOX, [beforeEventId, limit]))?.count ?? 0;
}
