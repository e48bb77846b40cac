import { type SystemConnection, byKey, systemStatement } from '#libs/database';

/** A webhook’s row is written only when its health changes. */
export const webhookHealth = (source: string): string =>
  `outcome as (
     select webhook_id, bool_or(state = 'delivered') as well, max(retry_after_until) as retry_after_until, max(slow_until) as slow_until
     from ${source} group by webhook_id
   ), changed as (
     select w.id, o.* from outcome o join webhooks w on ${byKey('w.id', 'o.webhook_id')}
     where (o.well and (w.failing_since is not null or (w.slow_until is not null and o.slow_until is null)))
       or (not o.well and w.failing_since is null)
       or o.retry_after_until > coalesce(w.retry_after_until, '-infinity')
       or o.slow_until > coalesce(w.slow_until, '-infinity') + interval '10 seconds'
     order by w.id for update of w
   ), health as (
     update webhooks w set
       failing_since = case when c.well then null else coalesce(w.failing_since, $1) end,
       retry_after_until = greatest(w.retry_after_until, c.retry_after_until),
       slow_until = case when c.slow_until is not null then c.slow_until when c.well then null else w.slow_until end
     from changed c where ${byKey('w.id', 'c.id')}
   )`;

const MARK_SLOW = systemStatement(
  'webhook_slow',
  'A worker delivers to receivers of every account',
  `update webhooks set slow_until = $2
   where id = $1 and coalesce(slow_until < $2::timestamptz - interval '10 seconds', true)`,
);

/** Writes at most every ten seconds. */
export async function markSlow(db: SystemConnection, webhookId: string, until: Date): Promise<void> {
  await db.rows(MARK_SLOW, [webhookId, until]);
}
