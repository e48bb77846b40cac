import type { QueueKind, QueuedDelivery } from '#libs/webhooks';

/** A delivery from a job, with the lease of that job. */
export interface LeasedDelivery extends QueuedDelivery {
  readonly leasedUntil: Date;
  readonly queueKind: QueueKind;
}

/** Everything that one attempt needs, as it was when it was loaded. */
export interface DueDelivery {
  readonly deliveryId: string;
  readonly accountId: string;
  readonly webhookId: string;
  /** Attempts recorded before this one. */
  readonly attempts: number;
  readonly kind: string;
  readonly url: string;
  readonly webhookState: 'active' | 'paused' | 'disabled';
  readonly pacedUntil: Date | null;
  readonly secrets: readonly string[];
  /** The webhook wants signatures by the keys of its account as well. */
  readonly publiclySigned: boolean;
  readonly event: LoadedEvent;
}

export interface LoadedEvent {
  readonly id: string;
  readonly sequence: string;
  readonly body: Buffer;
  /** A test event that somebody requested. */
  readonly test: boolean;
  readonly requestId: string | null;
  readonly createdAt: Date;
}
