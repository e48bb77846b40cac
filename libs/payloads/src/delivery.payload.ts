import {
  type Attempt,
  DELIVERY_STANDINGS,
  DELIVERY_STATES,
  type Delivery,
  type Event,
  standingOf,
} from '#libs/entities';
import { kindSchema, recordSchema } from './event.payload.js';
import {
  address,
  count,
  id,
  linksTo,
  nullableText,
  nullableTime,
  oneOf,
  oneOfOrNull,
  ref,
  string,
  text,
  time,
} from './json-schema.js';
import type { Links } from './links.js';
import { fieldsOf, recordPayload } from './record-payload.js';

const webhookLink = ({ webhookId }: Delivery, links: Links) => ({
  webhook: { href: links.record('webhooks', webhookId) },
});

export const deliveryPayload = recordPayload<Delivery>('The promise that one event reaches one webhook.', {
  id: [id, 'id'],
  href: [address, (delivery, links) => links.record('deliveries', delivery.id)],
  event: [kindSchema, 'kind'],
  event_id: [text('What the receiver gets as `webhook-id`, at every attempt and every replay.'), 'eventId'],
  state: [oneOf(DELIVERY_STATES), 'state'],
  standing: [
    {
      ...oneOf(DELIVERY_STANDINGS),
      description:
        'How it stands, in the words of the console. `retrying` has failed and goes out again by itself; `given_up` does not.',
    },
    standingOf,
  ],
  attempt_count: [count, 'attempts'],
  last_status: [
    { type: ['integer', 'null'], description: 'HTTP status of the last attempt, if there was one.' },
    'lastStatus',
  ],
  last_error: [nullableText('Why the last attempt got no complete answer, in one stable word.'), 'lastError'],
  next_attempt_at: [nullableTime, 'nextAttemptAt'],
  created_at: [time, 'createdAt'],
  finished_at: [nullableTime, 'finishedAt'],
  links: [linksTo([], ['webhook']), webhookLink],
});

export const attemptPayload = recordPayload<Attempt>('One POST, as it went.', {
  number: [{ type: 'integer', minimum: 1 }, 'number'],
  started_at: [time, 'startedAt'],
  duration_ms: [count, 'durationMs'],
  status: [{ type: ['integer', 'null'] }, 'status'],
  error: [nullableText('Why there was no complete answer, in one stable word.'), 'error'],
  error_detail: [nullableText('The same in a sentence.'), 'errorDetail'],
  request_headers: [
    { type: 'object', description: 'As they were sent, without the signature.', additionalProperties: string },
    'requestHeaders',
  ],
  response_body: [nullableText('The first 16 KiB of the answer.'), 'responseBody'],
  next_reason: [
    {
      ...oneOfOrNull(['schedule', 'retry_after', 'exhausted', 'gone']),
      description: 'Why the next attempt is when it is, or why there is none; null after a success.',
    },
    'nextReason',
  ],
  next_attempt_at: [nullableTime, 'nextAttemptAt'],
});

interface DeliveryDetails {
  readonly delivery: Delivery;
  readonly event: Event | null;
  readonly attempts: readonly Attempt[];
  readonly hasWebhook: boolean;
}

export const deliveryDetailsPayload = recordPayload<DeliveryDetails>('A delivery with what was sent, and when.', {
  ...fieldsOf(deliveryPayload, ({ delivery }) => delivery),
  links: [
    linksTo([], ['webhook']),
    ({ delivery, hasWebhook }, links) => (hasWebhook ? webhookLink(delivery, links) : {}),
  ],
  test: [
    { type: 'boolean', description: 'A sample that somebody asked for, not something that happened.' },
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
    { type: 'array', items: ref('Attempt') },
    ({ attempts }, links) => attempts.map((attempt) => attemptPayload(attempt, links)),
  ],
});
