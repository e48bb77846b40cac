import type { NextStep, AttemptOutcome } from '#libs/webhooks';
import type { DueDelivery } from './due-delivery.js';

/** Why a delivery that was due is not attempted now. */
export const POSTPONED_REASONS = ['silent', 'no_secret', 'paused', 'paced', 'stopping'] as const;
export type PostponedReason = (typeof POSTPONED_REASONS)[number];

export interface FinishedAttempt {
  readonly delivery: DueDelivery;
  readonly startedAt: Date;
  readonly outcome: AttemptOutcome;
  readonly step: NextStep;
}
