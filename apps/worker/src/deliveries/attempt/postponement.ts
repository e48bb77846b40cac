import type { DueDelivery } from './due-delivery.js';

/** Why a delivery that is due is not attempted now. */
export const POSTPONED_REASONS = ['silent', 'busy', 'host', 'no_secret', 'paused', 'paced', 'stopping'] as const;
export type PostponedReason = (typeof POSTPONED_REASONS)[number];

export interface Postponement {
  readonly reason: PostponedReason;
  /** How long until the delivery is due again. */
  readonly forMs: number;
}

/** Nothing is sent unsigned. A minute leaves the operator time to restore the key. */
const NO_SECRET_PAUSE_MS = 60_000;

export const STOPPING: Postponement = { reason: 'stopping', forMs: 0 };
/** The feeder skips a paused webhook, so its deliveries wait until somebody resumes it. */
const WEBHOOK_PAUSED: Postponement = { reason: 'paused', forMs: 0 };
const NO_SECRET: Postponement = { reason: 'no_secret', forMs: NO_SECRET_PAUSE_MS };

/** What keeps a delivery from going now, whatever its receiver is busy with. */
export function obstacleTo(
  { webhookState, pacedUntil, secrets }: Pick<DueDelivery, 'webhookState' | 'pacedUntil' | 'secrets'>,
  now: Date,
): Postponement | null {
  if (webhookState !== 'active') return WEBHOOK_PAUSED;
  const restMs = (pacedUntil?.getTime() ?? 0) - now.getTime();
  if (restMs > 0) return { reason: 'paced', forMs: restMs };
  return secrets.length === 0 ? NO_SECRET : null;
}
