import { DELIVERY_STATES, type Attempt, type Delivery, type Event } from '#libs/entities';
import { kindSchema, recordSchema } from './event.payload.js';
import {
  type FieldsOf,
  address,
  count,
  id,
  linksTo,
  nullableText,
  nullableTime,
  objectSchema,
  ref,
  string,
  text,
  time,
} from './json-schema.js';
import type { Links } from './links.js';

/** Without a link if the webhook has been deleted. */
export function deliveryPayload(delivery: Delivery, links: Links, hasWebhook = true) {
  return {
    id: delivery.id,
    href: links.record('deliveries', delivery.id),
    event: delivery.kind,
    event_id: delivery.eventId,
    state: delivery.state,
    attempt_count: delivery.attempts,
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    created_at: delivery.createdAt.toISOString(),
    finished_at: delivery.finishedAt?.toISOString() ?? null,
    links: hasWebhook ? { webhook: { href: links.record('webhooks', delivery.webhookId) } } : {},
  };
}

interface DeliveryDetails {
  readonly delivery: Delivery;
  readonly event: Event | null;
  readonly attempts: readonly Attempt[];
  readonly hasWebhook: boolean;
}

/** With what was sent, and every attempt. */
export function deliveryDetailsPayload({ delivery, event, attempts, hasWebhook }: DeliveryDetails, links: Links) {
  return {
    ...deliveryPayload(delivery, links, hasWebhook),
    test: event?.test ?? false,
    payload: event && (JSON.parse(event.payload) as object),
    attempts: attempts.map(attemptPayload),
  };
}

/** One POST and its outcome. The signature is not kept. */
export function attemptPayload(attempt: Attempt) {
  return {
    number: attempt.number,
    started_at: attempt.startedAt.toISOString(),
    duration_ms: attempt.durationMs,
    status: attempt.status,
    error: attempt.error,
    error_detail: attempt.errorDetail,
    request_headers: attempt.requestHeaders,
    response_body: attempt.responseBody,
    next_reason: attempt.nextReason,
    next_attempt_at: attempt.nextAttemptAt?.toISOString() ?? null,
  };
}

const delivery: FieldsOf<ReturnType<typeof deliveryPayload>> = {
  id,
  href: address,
  event: kindSchema,
  event_id: text('What the receiver gets as `webhook-id`, at every attempt and every replay.'),
  state: { type: 'string', enum: DELIVERY_STATES },
  attempt_count: count,
  last_status: { type: ['integer', 'null'], description: 'HTTP status of the last attempt, if there was one.' },
  last_error: nullableText('Why the last attempt got no complete answer, in one stable word.'),
  next_attempt_at: nullableTime,
  created_at: time,
  finished_at: nullableTime,
  links: linksTo([], ['webhook']),
};

export const deliverySchema = objectSchema<ReturnType<typeof deliveryPayload>>(
  'The promise that one event reaches one webhook.',
  delivery,
);

export const deliveryStorySchema = objectSchema<ReturnType<typeof deliveryDetailsPayload>>(
  'A delivery with what was sent, and when.',
  {
    ...delivery,
    test: { type: 'boolean', description: 'A sample that somebody asked for, not something that happened.' },
    payload: {
      ...recordSchema,
      type: ['object', 'null'],
      description: 'What is sent; null once the event has been purged.',
    },
    attempts: { type: 'array', items: ref('Attempt') },
  },
);

export const attemptSchema = objectSchema<ReturnType<typeof attemptPayload>>('One POST, as it went.', {
  number: { type: 'integer', minimum: 1 },
  started_at: time,
  duration_ms: count,
  status: { type: ['integer', 'null'] },
  error: nullableText('Why there was no complete answer, in one stable word.'),
  error_detail: nullableText('The same in a sentence.'),
  request_headers: {
    type: 'object',
    description: 'As they were sent, without the signature.',
    additionalProperties: string,
  },
  response_body: nullableText('The first 16 KiB of the answer.'),
  next_reason: {
    type: ['string', 'null'],
    enum: ['schedule', 'retry_after', 'exhausted', 'gone', null],
    description: 'Why the next attempt is when it is, or why there is none; null after a success.',
  },
  next_attempt_at: nullableTime,
});
