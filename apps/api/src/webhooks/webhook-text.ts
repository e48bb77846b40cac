import type { Attempt, Delivery, DisabledReason, Webhook } from '#libs/entities';
import type { FailureCode } from '#libs/delivery';

const DISABLED_TEXT: Readonly<Record<DisabledReason | 'maker_archived', string>> = {
  gone: 'The receiver answered 410 Gone, which asks us to stop. If that was a mistake, fix the receiver, then resume.',
  failing:
    'Every delivery failed for five days. Fix the receiver or the address, then resume and replay what failed in the meantime.',
  access_revoked:
    'The access of the application that made it was revoked. With new access, the application can register it again.',
  maker_archived: 'The agent who made it was archived. Resume it if you still need it.',
  operator: 'The operator of this installation stopped it. Only the operator can start it again.',
};

export const disabledReasonText = ({ disabledReason: reason, grantId }: Webhook): string | null =>
  reason && DISABLED_TEXT[reason === 'access_revoked' && grantId === null ? 'maker_archived' : reason];

const FAILURE_TEXT: Readonly<Record<FailureCode, string>> = {
  invalid_url: 'The address is not allowed.',
  refused_address: 'Webhooks must not reach this address, such as one of a private network.',
  dns: 'The host name was not found. Check that it is spelt correctly and public.',
  connect: 'Connection failed. Nothing listens there, or a firewall refuses us.',
  proxy: 'The operator’s proxy refused the connection.',
  tls: 'The certificate is not valid for this host, or has expired.',
  timeout: 'No complete response within the time limit. Respond first, then do the work.',
  reset: 'The receiver closed the connection in the middle of its response.',
  protocol: 'The response is not HTTP.',
  too_long: 'The response is too long.',
};

export const failureText = (code: string): string => FAILURE_TEXT[code as FailureCode] ?? code.replaceAll('_', ' ');

export function statusText(status: number): string {
  if (status >= 200 && status < 300) return `Answered ${status}: received.`;
  if (status >= 300 && status < 400)
    return `Answered ${status}, a redirect. Redirects are never followed. Register the address it leads to.`;
  if (status === 401 || status === 403)
    return `Answered ${status}: the receiver refuses us. If it expects credentials, verify the signature instead.`;
  if (status === 404) return 'Answered 404: nothing at this path.';
  if (status === 410) return 'Answered 410: the receiver asks us to stop.';
  if (status === 429) return 'Answered 429: the receiver asked us to slow down.';
  if (status >= 500) return `Answered ${status}: the receiver failed. See its log.`;
  return `Answered ${status}: not a success.`;
}

export function attemptText({ status, error }: Pick<Attempt, 'status' | 'error'>): string {
  if (error) return failureText(error);
  return status === null ? 'No response.' : statusText(status);
}

export function lastResultText({ lastStatus, lastError }: Pick<Delivery, 'lastStatus' | 'lastError'>): string {
  if (lastError === null && lastStatus === null) return 'Not tried yet.';
  return attemptText({ status: lastStatus, error: lastError });
}

export function lastResultLabel({ lastStatus, lastError }: Pick<Delivery, 'lastStatus' | 'lastError'>): string {
  if (lastError) return lastError.replaceAll('_', ' ');
  return lastStatus === null ? '–' : String(lastStatus);
}

const NEXT_ATTEMPT_TEXT: Readonly<Record<string, string>> = {
  schedule: 'Retried according to the schedule.',
  retry_after: 'The receiver set the time of the next attempt.',
  exhausted: 'This was the last attempt of the schedule. You can still redeliver it.',
  gone: 'No further attempts: the receiver asked us to stop.',
};

export const nextAttemptText = (reason: string): string => NEXT_ATTEMPT_TEXT[reason] ?? reason.replaceAll('_', ' ');
