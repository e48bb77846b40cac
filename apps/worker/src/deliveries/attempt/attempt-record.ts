import { later, uuidAt } from '#libs/database';
import { type AttemptOutcome, type AttemptRecord, type NextStep, withoutSignature } from '#libs/webhooks';
import { RECEIVER_SLOW_FOR_MS } from '../limits/limits.js';
import type { SignedPost } from './attempt-policy.service.js';
import type { DueDelivery } from './due-delivery.js';

export interface FinishedAttempt {
  readonly delivery: DueDelivery;
  readonly request: SignedPost;
  readonly outcome: AttemptOutcome;
  readonly step: NextStep;
}

/** The row of an attempt, and what it changes about its delivery and its webhook. */
export function attemptRecord({ delivery, request, outcome, step }: FinishedAttempt, now: Date): AttemptRecord {
  return {
    id: uuidAt(now),
    accountId: delivery.accountId,
    webhookId: delivery.webhookId,
    deliveryId: delivery.deliveryId,
    number: delivery.attempts + 1,
    startedAt: request.startedAt,
    durationMs: Math.round(outcome.durationMs),
    status: outcome.status,
    error: outcome.kind === 'failed' ? outcome.error : null,
    errorDetail: outcome.kind === 'failed' ? outcome.detail : null,
    responseBody: outcome.body === '' ? null : outcome.body,
    requestHeaders: JSON.stringify(withoutSignature(request.headers)),
    slowUntil: isTimeout(outcome) ? later(now, RECEIVER_SLOW_FOR_MS) : null,
    ...stepColumns(step),
  };
}

export function isTimeout(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'failed' && outcome.error === 'timeout';
}

type StepColumns = Pick<AttemptRecord, 'nextReason' | 'nextAttemptAt' | 'state' | 'pacedUntil'>;

function stepColumns(step: NextStep): StepColumns {
  if (step.kind === 'retry')
    return { state: 'pending', nextReason: step.reason, nextAttemptAt: step.at, pacedUntil: step.webhookPacedUntil };
  const settled = { nextAttemptAt: null, pacedUntil: null };
  if (step.kind === 'done') return { ...settled, state: 'delivered', nextReason: null };
  if (step.kind === 'gone') return { ...settled, state: 'cancelled', nextReason: 'gone' };
  return { ...settled, state: 'exhausted', nextReason: 'exhausted', pacedUntil: step.webhookPacedUntil };
}
