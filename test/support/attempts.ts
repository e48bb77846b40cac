import { uuidAt } from '#libs/database';
import type { AttemptOutcome, NextStep } from '#libs/delivery';
import type { DueDelivery, FinishedAttempt } from '../../apps/worker/src/deliveries/attempt/due-delivery.js';

export const NOW = new Date('2030-01-01T12:00:00.000Z');

export const EVENT_ID = '0198f2a4-0000-7000-8000-000000000006';

export const aDelivery = (overrides: Partial<DueDelivery> = {}): DueDelivery => ({
  deliveryId: uuidAt(NOW),
  accountId: 'account',
  webhookId: 'webhook',
  attempts: 0,
  kind: 'ticket_started',
  url: 'https://hooks.example/',
  webhookState: 'active',
  retryAfterUntil: null,
  isSlow: false,
  secrets: [`whsec_${Buffer.alloc(32, 1).toString('base64')}`],
  credentials: {},
  publiclySigned: false,
  event: {
    id: EVENT_ID,
    sequence: '42',
    body: Buffer.from('{"number":1}'),
    test: false,
    requestId: 'request',
    cause: { type: 'agent' },
    traceparent: null,
    createdAt: new Date(NOW.getTime() - 2_000),
  },
  ...overrides,
});

export const anAnswer = (status: number, body = ''): AttemptOutcome => ({
  kind: status < 300 ? 'delivered' : 'answered',
  status,
  retryAfter: null,
  body,
  truncated: false,
  durationMs: 12.4,
});

export const aFailure = (error: 'timeout' | 'dns'): AttemptOutcome => ({
  kind: 'failed',
  error,
  detail: `why ${error}`,
  status: null,
  body: '',
  truncated: false,
  durationMs: 15_000,
});

export const aRetry: NextStep = {
  kind: 'retrying',
  at: new Date(NOW.getTime() + 5_000),
  reason: 'retry_after',
  webhookRetryAfterUntil: new Date(NOW.getTime() + 4_000),
};

export const aFinishedAttempt = (
  delivery: DueDelivery,
  outcome: AttemptOutcome = anAnswer(204),
  step: NextStep = { kind: 'delivered' },
): FinishedAttempt => ({
  delivery,
  request: {
    url: delivery.url,
    headers: { 'webhook-id': delivery.event.id, 'webhook-signature': 'v1,secret' },
    credentials: delivery.credentials,
    body: delivery.event.body,
    timeoutMs: 15_000,
    startedAt: new Date(NOW.getTime() - 1_000),
  },
  outcome,
  step,
});

export function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => void (resolve = settle));
  return { promise, resolve };
}
