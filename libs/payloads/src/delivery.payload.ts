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

export const deliveryPayload = recordPayload<Delivery>('One event to be delivered to one webhook.', {
  id: [json.id, 'id'],
  href: [json.href, (delivery, links) => links.record('deliveries', delivery.id)],
  event: [kindSchema, 'kind'],
  event_id: [json.text('Sent as `webhook-id`, the same for every attempt and replay.'), 'eventId'],
  state: [
    json.oneOf(
      DELIVERY_STATES,
      '`pending`: to be sent. `exhausted`: all attempts failed. `cancelled`: its webhook ended.',
    ),
    'state',
  ],
  standing: [
    json.oneOf(
      DELIVERY_STANDINGS,
      'Status as shown in the console. `retrying`: failed and will be retried. `held`: sent when the paused webhook is resumed. `given_up`: failed and will not be retried.',
    ),
    standingOf,
  ],
  attempt_count: [json.countOf('Attempts so far.'), 'attempts'],
  last_status: [json.integerOrNull('HTTP status of the last response, if there was one.'), 'lastStatus'],
  last_error: [json.nullableText('Error code of the last attempt if it got no complete response.'), 'lastError'],
  next_attempt_at: [
    json.timeOrNull('When it is sent next. Null if it is not, or the webhook is paused.'),
    ({ isPaused, nextAttemptAt }) => (isPaused ? null : nextAttemptAt),
  ],
  created_at: [json.createdAt, 'createdAt'],
  finished_at: [json.timeOrNull('When it was delivered or given up.'), 'finishedAt'],
  links: [json.linksTo([], ['webhook']), webhookLink],
});

export const attemptPayload = recordPayload<Attempt>('One delivery attempt: the request and its result.', {
  number: [{ type: 'integer', minimum: 1, description: 'Number of the attempt, from 1.' }, 'number'],
  started_at: [json.timeOf('When the attempt began.'), 'startedAt'],
  duration_ms: [json.countOf('Milliseconds until the response was complete or the attempt failed.'), 'durationMs'],
  status: [json.integerOrNull('HTTP status of the response. Null if there was none.'), 'status'],
  error: [json.nullableText('Error code if there was no complete response.'), 'error'],
  error_detail: [json.nullableText('Explanation of `error`.'), 'errorDetail'],
  request_headers: [
    { type: 'object', description: 'Request headers without the signature.', additionalProperties: json.string },
    'requestHeaders',
  ],
  response_body: [json.nullableText('The first 16 KiB of the response body.'), 'responseBody'],
  next_reason: [
    json.oneOfOrNull(
      ['schedule', 'retry_after', 'exhausted', 'gone'],
      'Reason for the time of the next attempt, or why there is none. Null after a success.',
    ),
    'nextReason',
  ],
  next_attempt_at: [json.timeOrNull('When the next attempt was planned. Null if there was none.'), 'nextAttemptAt'],
});

export interface DeliveryDetails {
  readonly delivery: Delivery;
  /** Null once purged. Nothing can be sent then. */
  readonly event: Event | null;
  readonly attempts: readonly Attempt[];
}

export const deliveryDetailsPayload = recordPayload<DeliveryDetails>('A delivery with its payload and attempts.', {
  ...fieldsOf(deliveryPayload, ({ delivery }) => delivery),
  links: [
    json.linksTo([], ['webhook']),
    ({ delivery }, links) => (delivery.webhook ? webhookLink(delivery, links) : {}),
  ],
  test: [json.flag('True for test events.'), ({ event }) => event?.test ?? false],
  payload: [
    { ...recordSchema, type: ['object', 'null'], description: 'The body that is sent. Null once it is purged.' },
    ({ event }) => event && (JSON.parse(event.payload) as object),
  ],
  attempts: [
    json.listOf(json.ref('Attempt'), 'The attempts, oldest first.'),
    ({ attempts }, links) => attempts.map((attempt) => attemptPayload(attempt, links)),
  ],
});
