import { type SystemConnection, systemStatement } from '#libs/database';

const SWEEP_OUTBOX = systemStatement(
  'retention_outbox',
  'What is kept is decided by its age alone, in every account',
  `delete from outbox where ctid = any(array(select ctid from outbox where event_id < $1 limit $2 for update skip locked))
   returning 1`,
);

/** Finds something only where no worker has run for as long as events are kept. Says how many. */
export async function sweepOutbox(db: SystemConnection, beforeEventId: string, limit: number): Promise<number> {
  return (await db.rows(SWEEP_OUTBOX, [beforeEventId, limit])).length;
}
