import type { NextStep, Outcome } from '#libs/webhooks';
import type { DueDelivery } from './due-delivery.js';

/** Why a delivery that was due is not attempted now. */
export type HeldReason = 'silent' | 'no_secret' | 'paused' | 'paced' | 'stopping';

export interface Attempted {
  readonly delivery: DueDelivery;
  readonly startedAt: Date;
  readonly outcome: Outcome;
  readonly step: NextStep;
}
