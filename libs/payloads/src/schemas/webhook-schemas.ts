import { DELIVERY_STATES, REPLAY_CHOICES, REPLAY_STATES, WEBHOOK_STATES } from '#libs/entities';
import type { attemptPayload, deliveryPayload, deliveryDetailsPayload } from '../delivery.payload.js';
import { EVENT_KINDS } from '../event-kinds.js';
import type { eventKindPayload, eventPayload } from '../event.payload.js';
import type { replayPayload } from '../replay.payload.js';
import type { webhookPayload, webhookSecretPayload } from '../webhook.payload.js';
import {
  type FieldsOf,
  type JsonSchema,
  address,
  id,
  links,
  nullableText,
  nullableTime,
  objectSchema,
  ref,
  string,
  text,
  time,
} from './json-schema.js';

const count: JsonSchema = { type: 'integer', minimum: 0 };
const kind: JsonSchema = { type: 'string', enum: Object.keys(EVENT_KINDS) };

/** What an event tells of: which record it is follows from its kind. */
const payload: JsonSchema = {
  type: 'object',
  description: 'The record as it was when the event happened: a Ticket, Customer, Message or Agent.',
  additionalProperties: true,
};

const Webhook = objectSchema<ReturnType<typeof webhookPayload>>('A subscription to one kind of event.', {
  event: kind,
  url: address,
  state: { type: 'string', enum: WEBHOOK_STATES },
  id,
  href: address,
  created_at: time,
  updated_at: time,
  disabled_reason: { type: ['string', 'null'], enum: ['gone', 'failing', 'access_revoked', 'operator', null] },
  application: nullableText('Name of the application that made it; null when a person did.'),
});

const NewWebhook: JsonSchema = {
  ...Webhook,
  description: 'A webhook that was just made, with the secret that signs what it is sent.',
  properties: { ...Webhook.properties, secret: text('`whsec_` and base64 of 32 bytes.') },
  required: [...(Webhook.required ?? []), 'secret'],
};

const WebhookSecret = objectSchema<ReturnType<typeof webhookSecretPayload>>('A secret that signs deliveries.', {
  secret: text('`whsec_` and base64 of 32 bytes.'),
  created_at: time,
  expires_at: { ...nullableTime, description: 'Set once a newer one has replaced it; both sign until then.' },
});

const delivery: FieldsOf<ReturnType<typeof deliveryPayload>> = {
  id,
  href: address,
  event: kind,
  event_id: text('What the receiver gets as `webhook-id`, at every attempt and every replay.'),
  state: { type: 'string', enum: DELIVERY_STATES },
  attempt_count: count,
  last_status: { type: ['integer', 'null'], description: 'HTTP status of the last attempt, if there was one.' },
  last_error: nullableText('Why the last attempt got no complete answer, in one stable word.'),
  next_attempt_at: nullableTime,
  created_at: time,
  finished_at: nullableTime,
  links: links([], ['webhook']),
};

const Delivery = objectSchema<ReturnType<typeof deliveryPayload>>(
  'The promise that one event reaches one webhook.',
  delivery,
);

const DeliveryStory = objectSchema<ReturnType<typeof deliveryDetailsPayload>>(
  'A delivery with what was sent, and when.',
  {
    ...delivery,
    test: { type: 'boolean', description: 'A sample that somebody asked for, not something that happened.' },
    payload: {
      ...payload,
      type: ['object', 'null'],
      description: 'What is sent; null once the event has been purged.',
    },
    attempts: { type: 'array', items: ref('Attempt') },
  },
);

const Attempt = objectSchema<ReturnType<typeof attemptPayload>>('One POST, as it went.', {
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

const Replay = objectSchema<ReturnType<typeof replayPayload>>('Many deliveries of a webhook that go out again.', {
  id,
  href: address,
  state: { type: 'string', enum: REPLAY_STATES },
  only: { type: 'string', enum: REPLAY_CHOICES },
  since: time,
  before: time,
  total: { type: ['integer', 'null'], minimum: 0, description: 'How many there are; null while they are counted.' },
  redelivered: { ...count, description: 'How many of them have been sent on their way again.' },
  created_at: time,
  finished_at: nullableTime,
  links: links(['webhook']),
});

const Event = objectSchema<ReturnType<typeof eventPayload>>('Something that happened.', {
  id: text('The same that a webhook gets as `webhook-id`.'),
  href: address,
  event: kind,
  sequence: { type: 'integer', description: 'Grows within the account; `webhook-sequence` of a delivery.' },
  created_at: time,
  payload,
});

const EventKind = objectSchema<ReturnType<typeof eventKindPayload>>('A kind of event that a webhook can ask for.', {
  event: kind,
  when: string,
  record: { type: 'string', enum: ['Ticket', 'Customer', 'Message', 'Agent'] },
  sample: { ...payload, description: 'What would be sent, about people who do not exist.' },
});

/** The records of what is told to receivers. */
export const WEBHOOK_SCHEMAS = {
  Webhook,
  NewWebhook,
  WebhookSecret,
  Delivery,
  DeliveryStory,
  Attempt,
  Replay,
  Event,
  EventKind,
} satisfies Record<string, JsonSchema>;
