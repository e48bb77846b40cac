/** Stored, shown and counted, so they never change. */
export const FAILURE_CODES = [
  'invalid_url',
  'refused_address',
  'dns',
  'connect',
  'proxy',
  'tls',
  'timeout',
  'reset',
  'protocol',
  'too_long',
] as const;

export type FailureCode = (typeof FAILURE_CODES)[number];

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
