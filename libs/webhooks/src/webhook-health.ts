export const FAILING_FOR_MS = 5 * 24 * 60 * 60 * 1000;
export const FAILING_DELIVERIES = 10;

export interface WebhookRecord {
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
export function healthVerdict({ failingSince, failedDeliveries, now }: WebhookRecord): 'healthy' | 'failing' {
  if (failingSince === null || failedDeliveries < FAILING_DELIVERIES) return 'healthy';
  return now.getTime() - failingSince.getTime() >= FAILING_FOR_MS ? 'failing' : 'healthy';
}
