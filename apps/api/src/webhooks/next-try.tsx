import type { Delivery, Webhook } from '#libs/entities';
import { RelativeTime } from '../ui/parts/relative-time.js';

export type HeldWebhook = Pick<Webhook, 'state' | 'pacedUntil'>;

/** When it may go: not before a receiver that asked us to slow down wants more. Null while nobody knows. */
export function nextTryAt(planned: Date | null, { state, pacedUntil }: HeldWebhook): Date | null {
  if (planned === null || state !== 'active') return null;
  return pacedUntil !== null && pacedUntil > planned ? pacedUntil : planned;
}

export const nextAttemptOf = ({ state, nextAttemptAt }: Pick<Delivery, 'state' | 'nextAttemptAt'>): Date | null =>
  state === 'pending' ? nextAttemptAt : null;

export function NextTry({ planned, webhook }: { planned: Date; webhook: HeldWebhook }) {
  if (webhook.state === 'paused') return <>when the webhook is resumed</>;
  const at = nextTryAt(planned, webhook);
  return at ? <RelativeTime at={at} /> : <>when the webhook is enabled</>;
}
