import { later } from '#libs/database';
import type { FailureCode } from '#libs/guarded-http';
import { retryAfterMs } from './retry-after.js';

/** Longer than the retries of a delivery run, because receivers may derive their keys from its id. */
export const IDEMPOTENCY_KEPT_DAYS = 4;

const JITTER = 0.1;
const MAX_WAIT_MS = 24 * 60 * 60 * 1000;

export interface EndedAttempt {
  readonly attempt: number;
  readonly outcome: AttemptOutcome;
  /** Waits between attempts; there is one attempt more. */
  readonly schedule: readonly number[];
  readonly now: Date;
  readonly random: () => number;
}

/** `webhookRetryAfterUntil` pauses all deliveries of the receiver. */
export type NextStep =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'given_up'; readonly webhookRetryAfterUntil: Date | null }
  | {
      readonly kind: 'retrying';
      readonly at: Date;
      readonly reason: 'schedule' | 'retry_after';
      readonly webhookRetryAfterUntil: Date | null;
    };

export function nextStep({ attempt, outcome, schedule, now, random }: EndedAttempt): NextStep {
  if (outcome.kind === 'delivered') return { kind: 'delivered' };
  if (outcome.kind === 'answered' && outcome.status === 410) return { kind: 'cancelled' };

  const askedMs = requestedRest(outcome, now);
  const webhookRetryAfterUntil = askedMs === null ? null : later(now, askedMs);
  const planned = schedule[attempt - 1];
  if (planned === undefined) return { kind: 'given_up', webhookRetryAfterUntil };

  const scheduledMs = planned * (1 - JITTER + 2 * JITTER * random());
  if (askedMs === null || askedMs <= scheduledMs)
    return { kind: 'retrying', at: later(now, scheduledMs), reason: 'schedule', webhookRetryAfterUntil };
  return {
    kind: 'retrying',
    at: later(now, spreadOut(askedMs, random)),
    reason: 'retry_after',
    webhookRetryAfterUntil,
  };
}

function requestedRest(outcome: AttemptOutcome, now: Date): number | null {
  if (outcome.kind !== 'answered' || (outcome.status !== 429 && outcome.status !== 503)) return null;
  const asked = retryAfterMs(outcome.retryAfter, now);
  return asked === null ? null : Math.min(asked, MAX_WAIT_MS);
}

/** Never earlier than asked. Spread, so that deliveries do not return at once. */
function spreadOut(askedMs: number, random: () => number): number {
  return Math.min(askedMs * (1 + JITTER * random()), MAX_WAIT_MS);
}

/** PostgreSQL can store `body`, at most 16 KiB. */
interface Outcome {
  readonly body: string;
  readonly truncated: boolean;
  readonly durationMs: number;
}

/** Redirects are never followed. */
interface Response extends Outcome {
  readonly kind: 'delivered' | 'answered';
  readonly status: number;
  readonly retryAfter: string | null;
}

interface FailedRequest extends Outcome {
  readonly kind: 'failed';
  readonly error: FailureCode;
  readonly detail: string;
  readonly status: number | null;
}

/** The process stopped, which is no attempt and says nothing about the receiver. */
export interface AbandonedAttempt {
  readonly kind: 'abandoned';
  readonly durationMs: number;
}

export type AttemptOutcome = Response | FailedRequest;
