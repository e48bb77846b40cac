import type { Attempt, Delivery, DisabledReason, Webhook } from '#libs/entities';
import type { FailureCode } from '#libs/guarded-http';

const DISABLED_TEXT: Readonly<Record<DisabledReason | 'maker_archived', string>> = {
  gone: 'The receiver responded with 410 Gone, which asks us to stop. If that was a mistake, fix the receiver, then resume.',
  failing:
    'Every delivery failed for five days. Fix the receiver or the URL, then resume and replay the failed deliveries.',
  access_revoked:
    'The access that created it, of an application or a personal access token, has ended. Its creator can resume it with new access.',
  maker_archived: 'The agent who created it was archived. Resume it if you still need it.',
  operator: 'The operator of this installation disabled it. Only the operator can enable it.',
};

export const disabledReasonText = ({ disabledReason: reason, grantId }: Webhook): string | null =>
  reason && DISABLED_TEXT[reason === 'access_revoked' && grantId === null ? 'maker_archived' : reason];

const FAILURE_TEXT: Readonly<Record<FailureCode, string>> = {
  invalid_url: 'The URL is not allowed.',
  refused_address: 'Webhooks must not reach this address, for example one in a private network.',
  dns: 'The host name was not found. Check that it is spelt correctly and public.',
  connect: 'Connection failed. Nothing is listening there, or a firewall blocks it.',
  proxy: 'The operator’s proxy refused the connection.',
  tls: 'The certificate is not valid for this host, or has expired.',
  timeout: 'No complete response within the time limit. Respond first, then do the work.',
  reset: 'The receiver closed the connection in the middle of its response.',
  protocol: 'The response is not HTTP.',
  too_long: 'The response is too long.',
};

export const failureText = (code: string): string => FAILURE_TEXT[code as FailureCode] ?? code.replaceAll('_', ' ');

export function statusText(status: number): string {
  if (status >= 200 && status < 300) return `HTTP ${status}: delivered.`;
  if (status >= 300 && status < 400)
    return `HTTP ${status}: a redirect, which is never followed. Register its target instead.`;
  if (status === 401 || status === 403)
    return `HTTP ${status}: the receiver rejected the request. If it expects credentials, set them on the webhook’s page.`;
  if (status === 404) return 'HTTP 404: nothing at this path.';
  if (status === 410) return 'HTTP 410: the receiver asks us to stop.';
  if (status === 429) return 'HTTP 429: the receiver asks us to slow down.';
  if (status >= 500) return `HTTP ${status}: the receiver returned an error. Check its log.`;
  if (status === 405) return 'HTTP 405: this URL does not accept POST.';
  return `HTTP ${status}: the receiver rejected the request. Check its log.`;
}

export function attemptText({ status, error }: Pick<Attempt, 'status' | 'error'>): string {
  if (error) return failureText(error);
  return status === null ? 'No response.' : statusText(status);
}

export function lastResultText({ lastStatus, lastError }: Pick<Delivery, 'lastStatus' | 'lastError'>): string {
  if (lastError === null && lastStatus === null) return 'Not tried yet.';
  return attemptText({ status: lastStatus, error: lastError });
}

const NEXT_ATTEMPT_TEXT: Readonly<Record<string, string>> = {
  schedule: 'Will be retried on schedule.',
  retry_after: 'The receiver set the time of the next attempt.',
  exhausted: 'This was the last attempt of the schedule. You can still redeliver it.',
  gone: 'No further attempts: the receiver asked us to stop.',
};

export const nextAttemptText = (reason: string): string => NEXT_ATTEMPT_TEXT[reason] ?? reason.replaceAll('_', ' ');
