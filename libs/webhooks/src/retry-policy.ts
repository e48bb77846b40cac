import { later } from '#libs/database';
import type { AttemptOutcome } from './attempt-outcome.js';
import { retryAfterMs } from './retry-after.js';

const JITTER = 0.1;
const MAX_WAIT_MS = 24 * 60 * 60 * 1000;

export interface AttemptResult {
  /** Which attempt this was, from 1. */
  readonly attempt: number;
  readonly outcome: AttemptOutcome;
  /** Waits in milliseconds after the first, second … attempt; one more attempt than entries. */
  readonly schedule: readonly number[];
  readonly now: Date;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
}

/** `webhookPacedUntil`: the receiver asked for rest, and means all of its deliveries, not only this one. */
export type NextStep =
  | { readonly kind: 'done' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'exhausted'; readonly webhookPacedUntil: Date | null }
  | {
      readonly kind: 'retry';
      readonly at: Date;
      readonly reason: 'schedule' | 'retry_after';
      readonly webhookPacedUntil: Date | null;
    };

export function nextStep(result: AttemptResult): NextStep {
  const { attempt, outcome, schedule, now, random } = result;
  if (outcome.kind === 'delivered') return { kind: 'done' };
  if (outcome.kind === 'answered' && outcome.status === 410) return { kind: 'gone' };

  const askedMs = requestedRest(outcome, now);
  const webhookPacedUntil = askedMs === null ? null : later(now, askedMs);
  const planned = schedule[attempt - 1];
  if (planned === undefined) return { kind: 'exhausted', webhookPacedUntil };

  const scheduledMs = planned * (1 - JITTER + 2 * JITTER * random());
  if (askedMs === null || askedMs <= scheduledMs) {
    return { kind: 'retry', at: later(now, scheduledMs), reason: 'schedule', webhookPacedUntil };
  }
  return { kind: 'retry', at: later(now, spreadOut(askedMs, random)), reason: 'retry_after', webhookPacedUntil };
}

function requestedRest(outcome: AttemptOutcome, now: Date): number | null {
  if (outcome.kind !== 'answered' || (outcome.status !== 429 && outcome.status !== 503)) return null;
  const asked = retryAfterMs(outcome.retryAfter, now);
  return asked === null ? null : Math.min(asked, MAX_WAIT_MS);
}

/** Only ever later than asked: everything that a receiver held back must not come at one moment, nor too early. */
function spreadOut(askedMs: number, random: () => number): number {
  return Math.min(askedMs * (1 + JITTER * random()), MAX_WAIT_MS);
}
