import { type SystemConnection, systemStatement } from '#libs/database';

const MARK_SLOW = systemStatement(
  'webhook_slow',
  'How a receiver behaves is seen by whoever delivers to it, in any account',
  `update webhooks set slow_until = $2
   where id = $1 and coalesce(slow_until < $2::timestamptz - interval '10 seconds', true)`,
);

/** Its receiver kept a worker waiting. Written at most every ten seconds. */
export async function markSlow(db: SystemConnection, webhookId: string, until: Date): Promise<void> {
  await db.rows(MARK_SLOW, [webhookId, until]);
}
