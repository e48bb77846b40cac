import type { NextStep, Outcome } from '#libs/webhooks';
import type { DueDelivery } from './due-delivery.js';

/** Why a delivery that was due is not attempted now. */
export const HELD_REASONS = ['silent', 'no_secret', 'paused', 'paced', 'stopping'] as const;
export type HeldReason = (typeof HELD_REASONS)[number];

export interface Attempted {
  readonly delivery: DueDelivery;
  readonly startedAt: Date;
  readonly outcome: Outcome;
  readonly step: NextStep;
}
