import {
  type Attempt,
  DELIVERY_STANDINGS,
  DELIVERY_STATES,
  type Delivery,
  type Event,
  standingOf,
} from '#libs/entities';
import { kindSchema, recordSchema } from './event.payload.js';
import * as json from './json-schema.js';
import type { Links } from './links.js';
import { fieldsOf, recordPayload } from './record-payload.js';

const webhookLink = ({ webhookId }: Delivery, links: Links) => ({
  webhook: { href: links.record('webhooks', webhookId) },
});

export const deliveryPayload = recordPayload<Delivery>('The promise that one event reaches one webhook.', {
  id: [json.id, 'id'],
  href: [json.address, (delivery, links) => links.record('deliveries', delivery.id)],
  event: [kindSchema, 'kind'],
  event_id: [json.text('What the receiver gets as `webhook-id`, at every attempt and every replay.'), 'eventId'],
  state: [json.oneOf(DELIVERY_STATES), 'state'],
  standing: [
    json.oneOf(
      DELIVERY_STANDINGS,
      'How it stands, in the words of the console. `retrying` has failed and goes out again by itself; `given_up` does not.',
    ),
    standingOf,
  ],
  attempt_count: [json.count, 'attempts'],
  last_status: [json.integerOrNull('HTTP status of the last attempt, if there was one.'), 'lastStatus'],
  last_error: [json.nullableText('Why the last attempt got no complete answer, in one stable word.'), 'lastError'],
  next_attempt_at: [json.nullableTime, 'nextAttemptAt'],
  created_at: [json.time, 'createdAt'],
  finished_at: [json.nullableTime, 'finishedAt'],
  links: [json.linksTo([], ['webhook']), webhookLink],
});

export const attemptPayload = recordPayload<Attempt>('One POST, as it went.', {
  number: [{ type: 'integer', minimum: 1 }, 'number'],
  started_at: [json.time, 'startedAt'],
  duration_ms: [json.count, 'durationMs'],
  status: [json.integerOrNull(), 'status'],
  error: [json.nullableText('Why there was no complete answer, in one stable word.'), 'error'],
  error_detail: [json.nullableText('The same in a sentence.'), 'errorDetail'],
  request_headers: [
    { type: 'object', description: 'As they were sent, without the signature.', additionalProperties: json.string },
    'requestHeaders',
  ],
  response_body: [json.nullableText('The first 16 KiB of the answer.'), 'responseBody'],
  next_reason: [
    json.oneOfOrNull(
      ['schedule', 'retry_after', 'exhausted', 'gone'],
      'Why the next attempt is when it is, or why there is none; null after a success.',
    ),
    'nextReason',
  ],
  next_attempt_at: [json.nullableTime, 'nextAttemptAt'],
});

export interface DeliveryDetails {
  readonly delivery: Delivery;
  /** Null once purged. Nothing can be sent then. */
  readonly event: Event | null;
  readonly attempts: readonly Attempt[];
  readonly hasWebhook: boolean;
}

export const deliveryDetailsPayload = recordPayload<DeliveryDetails>('A delivery with what was sent, and when.', {
  ...fieldsOf(deliveryPayload, ({ delivery }) => delivery),
  links: [
    json.linksTo([], ['webhook']),
    ({ delivery, hasWebhook }, links) => (hasWebhook ? webhookLink(delivery, links) : {}),
  ],
  test: [
    json.flag('A sample that somebody asked for, not something that happened.'),
    ({ event }) => event?.test ?? false,
  ],
  payload: [
    {
      ...recordSchema,
      type: ['object', 'null'],
      description: 'What is sent; null once the event has been purged.',
    },
    ({ event }) => event && (JSON.parse(event.payload) as object),
  ],
  attempts: [
    json.listOf(json.ref('Attempt')),
    ({ attempts }, links) => attempts.map((attempt) => attemptPayload(attempt, links)),
  ],
});
