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

/** What of the answer is kept. `body` is at most 16 KiB of text that PostgreSQL can store. */
export interface ReceiverResponse {
  readonly body: string;
  readonly truncated: boolean;
  readonly retryAfter: string | null;
}

/** A 2xx whose body ended within the limits: the receiver has it. */
export interface SuccessfulResponse extends ReceiverResponse {
  readonly kind: 'delivered';
  readonly status: number;
  readonly durationMs: number;
}

/** Any other status. Redirects are answers too: they are never followed. */
export interface UnsuccessfulResponse extends ReceiverResponse {
  readonly kind: 'answered';
  readonly status: number;
  readonly durationMs: number;
}

/** No complete answer. `status` and `body` tell how far it got, when it got that far. */
export interface FailedRequest {
  readonly kind: 'failed';
  readonly error: FailureCode;
  readonly detail: string;
  readonly status: number | null;
  readonly body: string;
  readonly truncated: boolean;
  readonly durationMs: number;
}

/** This process gave up because it is stopping. It says nothing about the receiver, so it is not an attempt. */
export interface AbandonedAttempt {
  readonly kind: 'abandoned';
  readonly durationMs: number;
}

export type AttemptOutcome = SuccessfulResponse | UnsuccessfulResponse | FailedRequest;
