import { type Delivery, type Webhook, standingOf } from '#libs/entities';
import { STANDING_WORDS, StandingPill } from '../ui/parts/indicators.js';
import { RelativeTime } from '../ui/parts/relative-time.js';
import { deliveryPath } from '../shell/webhook-paths.js';
import type { DeliverySubject } from './webhooks.statements.js';

export function DeliveryLink({ delivery }: { delivery: Pick<Delivery, 'id' | 'state' | 'attempts' | 'lastStatus'> }) {
  const { id } = delivery;
  return (
    <a href={deliveryPath(id)} aria-label={`Delivery ${id}, ${STANDING_WORDS[standingOf(delivery)]}`}>
      <StandingPill delivery={delivery} />
    </a>
  );
}

export function SubjectLink({ subject: found }: { subject: DeliverySubject | undefined }) {
  if (!found) return <span class="quiet">no longer kept</span>;
  const { kind, subject, isTest } = found;
  if (isTest) return <span class="quiet">a test</span>;
  const number = /^#(\d+)$/.exec(subject)?.[1];
  if (number) return <a href={`/tickets/${number}`}>{`Ticket ${subject}`}</a>;
  if (kind.startsWith('customer_')) return <a href={`/customers/${encodeURIComponent(subject)}`}>{subject}</a>;
  return <>{subject.length > 60 ? `${subject.slice(0, 60)}…` : subject}</>;
}

export type WebhookPace = Pick<Webhook, 'state' | 'pacedUntil'>;

/** Null while the webhook is not active. A receiver that asked us to slow down delays the attempt. */
export function nextTryAt(planned: Date | null, { state, pacedUntil }: WebhookPace): Date | null {
  if (planned === null || state !== 'active') return null;
  return pacedUntil !== null && pacedUntil > planned ? pacedUntil : planned;
}

export const nextAttemptOf = ({ state, nextAttemptAt }: Pick<Delivery, 'state' | 'nextAttemptAt'>): Date | null =>
  state === 'pending' ? nextAttemptAt : null;

export function NextTry({ planned, webhook }: { planned: Date; webhook: WebhookPace }) {
  if (webhook.state === 'paused') return <>when the webhook is resumed</>;
  const at = nextTryAt(planned, webhook);
  return at ? <RelativeTime at={at} /> : <>when the webhook is enabled</>;
}
