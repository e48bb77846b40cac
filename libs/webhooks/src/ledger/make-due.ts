import { type SystemConnection, systemStatement } from '#libs/database';

const MAKE_DUE = systemStatement(
  'owed_redrive',
  'The operator makes what waits due in whichever account',
  `with due as (
     update owed_deliveries o set feed_at = $3 where o.delivery_id in (
       select w.delivery_id from owed_deliveries w join (
         select delivery_id from owed_deliveries
         where not queued and feed_at > $3 and ($1::uuid is null or account_id = $1) and ($2::uuid is null or webhook_id = $2)
         limit $4) part using (delivery_id)
       where not w.queued order by w.delivery_id for update of w)
     returning delivery_id
   ), shown as (
     update deliveries d set next_attempt_at = $3 from due where d.id = due.delivery_id and d.state = 'pending'
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
