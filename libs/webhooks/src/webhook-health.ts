import { type SystemConnection, systemStatement } from '#libs/database';

export const DISABLE_AFTER_FAILING_MS = 5 * 24 * 60 * 60 * 1000;
export const DISABLE_AFTER_FAILED_DELIVERIES = 10;

export interface FailureHistory {
  /** The first failed attempt since the last success; null when the last attempt went well. */
  readonly failingSince: Date | null;
  /** Different deliveries that have failed since then. */
  readonly failedDeliveries: number;
  readonly now: Date;
}

/**
 * Both conditions, because each alone is unfair: ten failures can be one bad minute, and five days can be one
 * delivery to a receiver that was away over a long weekend.
 */
export function webhookHealth({ failingSince, failedDeliveries, now }: FailureHistory): 'healthy' | 'failing' {
  if (failingSince === null || failedDeliveries < DISABLE_AFTER_FAILED_DELIVERIES) return 'healthy';
  return now.getTime() - failingSince.getTime() >= DISABLE_AFTER_FAILING_MS ? 'failing' : 'healthy';
}

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
