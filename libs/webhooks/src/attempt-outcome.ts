/** Why an attempt got no complete answer. The words are stable: they are stored, shown, and counted in metrics. */
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

/** `body` is what is kept of the answer: at most 16 KiB of text that PostgreSQL can store. */
interface Outcome {
  readonly body: string;
  readonly truncated: boolean;
  readonly durationMs: number;
}

/**
 * `delivered`: a 2xx whose body ended within the limits, so the receiver has it. `answered`: any other status. Redirects
 * are answers too: they are never followed.
 */
interface Response extends Outcome {
  readonly kind: 'delivered' | 'answered';
  readonly status: number;
  readonly retryAfter: string | null;
}

/** No complete answer. `status` and `body` tell how far it got, when it got that far. */
interface FailedRequest extends Outcome {
  readonly kind: 'failed';
  readonly error: FailureCode;
  readonly detail: string;
  readonly status: number | null;
}

/** This process gave up because it is stopping. It says nothing about the receiver, so it is not an attempt. */
export interface AbandonedAttempt {
  readonly kind: 'abandoned';
  readonly durationMs: number;
}

export type AttemptOutcome = Response | FailedRequest;
