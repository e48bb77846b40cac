import type { Attempt, Delivery, DisabledReason, Webhook } from '#libs/entities';
import type { FailureCode } from '#libs/webhooks';

/** Why a webhook is disabled, and what to do about it. */
const DISABLED_TEXT: Readonly<Record<DisabledReason, string>> = {
  gone: 'The receiver answered 410 Gone: it asked never to be called again. If that was a mistake, fix the receiver, then resume.',
  failing:
    'Every delivery failed for five days. Fix the receiver or the address, then resume and replay what failed in the meantime.',
  access_revoked:
    'The access of the application that made it was revoked. The application can register it again once it has access again.',
  operator: 'The operator of this installation stopped it, and only they can start it again. Ask them.',
};

export const disabledReasonText = ({ disabledReason }: Webhook): string | null =>
  disabledReason && DISABLED_TEXT[disabledReason];

/** Why an attempt got no response, and where to look. */
const FAILURE_TEXT: Readonly<Record<FailureCode, string>> = {
  invalid_url: 'The address is not one we may call.',
  refused_address: 'The name leads to an address that webhooks must not reach, such as a private network.',
  dns: 'The host name could not be found. Is it spelt right, and public?',
  connect: 'No connection: nothing listens there, or a firewall refuses us.',
  proxy: 'The operator’s proxy did not let us through.',
  tls: 'The certificate is not valid for this host, or has expired.',
  timeout: 'No complete answer within the time limit. Answer first, and do the work afterwards.',
  reset: 'The receiver closed the connection in the middle of its answer.',
  protocol: 'What came back is not HTTP.',
  too_long: 'The answer was longer than we read.',
};

export const failureText = (code: string): string => FAILURE_TEXT[code as FailureCode] ?? code.replaceAll('_', ' ');

/** Explains the status of a response. */
export function statusText(status: number): string {
  if (status >= 200 && status < 300) return `Answered ${status}: received.`;
  if (status >= 300 && status < 400)
    return `Answered ${status}, a redirect. Redirects are never followed: register the address it leads to.`;
  if (status === 401 || status === 403)
    return `Answered ${status}: the receiver refuses us. Does it expect credentials? Check the signature instead.`;
  if (status === 404) return 'Answered 404: there is nothing at this path.';
  if (status === 410) return 'Answered 410: the receiver never wants to be called again.';
  if (status === 429) return 'Answered 429: the receiver asked us to slow down, and we do.';
  if (status >= 500) return `Answered ${status}: the receiver failed. Its own log says why.`;
  return `Answered ${status}: not a success.`;
}

export function attemptText({ status, error }: Pick<Attempt, 'status' | 'error'>): string {
  if (error) return failureText(error);
  return status === null ? 'No answer.' : statusText(status);
}

export function lastResultText({ lastStatus, lastError }: Pick<Delivery, 'lastStatus' | 'lastError'>): string {
  if (lastError === null && lastStatus === null) return 'Not tried yet.';
  return attemptText({ status: lastStatus, error: lastError });
}

/** Short enough for a table. */
export function lastResultLabel({ lastStatus, lastError }: Pick<Delivery, 'lastStatus' | 'lastError'>): string {
  if (lastError) return lastError.replaceAll('_', ' ');
  return lastStatus === null ? '–' : String(lastStatus);
}

/** Why the next attempt is due when it is, or why there is none. */
const NEXT_ATTEMPT_TEXT: Readonly<Record<string, string>> = {
  schedule: 'Retried according to the schedule.',
  retry_after: 'The receiver said when to try again.',
  exhausted: 'That was the last attempt of the schedule. It can still be redelivered.',
  gone: 'No further attempt: the receiver asked for none.',
};

export const nextAttemptText = (reason: string): string => NEXT_ATTEMPT_TEXT[reason] ?? reason.replaceAll('_', ' ');
