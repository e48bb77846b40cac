import type { webhooks } from './openapi.js';

export type EventKind = keyof webhooks;

/** The record that an event of this kind carries. */
export type RecordOf<K extends EventKind> = webhooks[K]['post']['requestBody']['content']['application/json'];

interface EventOf<K extends EventKind> {
  readonly kind: K;
  readonly record: RecordOf<K>;
  /** The same for every attempt and every replay: who has seen it has seen the event. */
  readonly id: string;
  /** When this attempt was made. */
  readonly timestamp: Date;
  /** Grows with every event of the account. */
  readonly sequence: number;
  readonly attempt: number;
  /** Its record does not exist. */
  readonly isTest: boolean;
}

/** Asking for `kind` tells which record it has. */
export type WebhookEvent = { [K in EventKind]: EventOf<K> }[EventKind];
