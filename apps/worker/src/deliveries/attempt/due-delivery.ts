import type { Delivery, Event, Webhook, WebhookState } from '#libs/entities';
import type { AttemptOutcome, NextStep, QueuedDelivery } from '#libs/delivery';
import { MINUTE_MS } from '../../durations.js';
import type { Credentials } from '../sender/hidden-credentials.js';
import type { WebhookPost } from '../sender/webhook-client.js';

export interface LeasedDelivery extends QueuedDelivery {
  readonly leasedUntil: Date;
}

export interface DueDelivery
  extends
    Readonly<Pick<Delivery, 'accountId' | 'webhookId' | 'attempts' | 'kind'>>,
    Readonly<Pick<Webhook, 'url' | 'retryAfterUntil' | 'publiclySigned'>> {
  readonly deliveryId: string;
  readonly webhookState: WebhookState;
  /** Gets only the probes of the feeder. */
  readonly isSlow: boolean;
  readonly secrets: readonly string[];
  readonly credentials: Credentials;
  readonly event: LoadedEvent;
}

export interface LoadedEvent extends Readonly<
  Pick<Event, 'id' | 'sequence' | 'test' | 'requestId' | 'cause' | 'traceparent' | 'createdAt'>
> {
  readonly body: Buffer;
}

export const POSTPONED_REASONS = ['silent', 'busy', 'host', 'no_secret', 'paused', 'retry_after', 'stopping'] as const;
export type PostponedReason = (typeof POSTPONED_REASONS)[number];

export interface Postponement {
  readonly reason: PostponedReason;
  readonly forMs: number;
}

export const STOPPING: Postponement = { reason: 'stopping', forMs: 0 };

export function obstacleTo(
  { webhookState, retryAfterUntil, secrets }: Pick<DueDelivery, 'webhookState' | 'retryAfterUntil' | 'secrets'>,
  now: Date,
): Postponement | null {
  if (webhookState !== 'active') return { reason: 'paused', forMs: 0 };
  const restMs = (retryAfterUntil?.getTime() ?? 0) - now.getTime();
  if (restMs > 0) return { reason: 'retry_after', forMs: restMs };
  // The operator can restore the key. Nothing is sent unsigned.
  return secrets.length === 0 ? { reason: 'no_secret', forMs: MINUTE_MS } : null;
}

/** `startedAt` is the signed time. */
export interface SignedPost extends WebhookPost {
  readonly startedAt: Date;
}

export type AttemptResult = FinishedAttempt | Postponement;

export interface FinishedAttempt {
  readonly delivery: DueDelivery;
  readonly request: SignedPost;
  readonly outcome: AttemptOutcome;
  readonly step: NextStep;
}
