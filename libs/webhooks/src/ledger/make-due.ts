import { type SystemConnection, byKey, filter, systemStatement } from '#libs/database';

const MAKE_DUE = systemStatement(
  'owed_redrive',
  'The operator makes what waits due in whichever account',
  `with part as materialized (
     select delivery_id from owed_deliveries
     where not queued and feed_at > $3 and ($1::uuid is null or account_id = $1) and ($2::uuid is null or webhook_id = $2)
     limit $4
   ), locked as materialized (
     select w.delivery_id from (select delivery_id from part order by delivery_id) p cross join lateral (
       select delivery_id from owed_deliveries where delivery_id = p.delivery_id and ${filter('not queued')} limit 1 for update
     ) w
   ), due as (
     update owed_deliveries set feed_at = $3 where delivery_id = any(array(select delivery_id from locked))
     returning delivery_id
   ), shown as (
     update deliveries d set next_attempt_at = $3 from due where ${byKey('d.id', 'due.delivery_id')} and d.state = 'pending'
   )
   select from due`,
);

interface Scope {
  readonly accountId?: string | undefined;
  readonly webhookId?: string | undefined;
}

/** Rows that one statement takes, so that the feeder hardly waits. */
const BATCH = 2_000;

/** What waits for its next attempt may go now. Pauses, and what receivers asked for, still hold. Says how many it was. */
export async function makeDue(db: SystemConnection, { accountId, webhookId }: Scope, now: Date): Promise<number> {
  for (let total = 0; ;) {
    const due = await db.rows(MAKE_DUE, [accountId ?? null, webhookId ?? null, now, BATCH]);
    total += due.length;
    if (due.length === 0) return total;
  }
}
