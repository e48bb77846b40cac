import type { Event } from '#libs/entities';
import { EVENT_KINDS, type EventKind } from './event-kinds.js';
import { type JsonSchema, address, objectSchema, string, text, time } from './json-schema.js';
import type { Links } from './links.js';
import { samplePayload } from './sample-payloads.js';

/** An event in the feed, with the id, sequence and record that a webhook gets. */
export function eventPayload(event: Event, links: Links) {
  return {
    id: event.id,
    href: links.record('events', event.id),
    event: event.kind,
    sequence: Number(event.sequence),
    created_at: event.createdAt.toISOString(),
    payload: JSON.parse(event.payload) as object,
  };
}

export function eventKindPayload(kind: EventKind, links: Links) {
  const { when, record } = EVENT_KINDS[kind];
  return { event: kind, when, record, sample: samplePayload(kind, links) };
}

export const kindSchema: JsonSchema = { type: 'string', enum: Object.keys(EVENT_KINDS) };

/** The kind decides which record it is. */
export const recordSchema: JsonSchema = {
  type: 'object',
  description: 'The record as it was when the event happened: a Ticket, Customer, Message or Agent.',
  additionalProperties: true,
};

export const eventSchema = objectSchema<ReturnType<typeof eventPayload>>('Something that happened.', {
  id: text('The same that a webhook gets as `webhook-id`.'),
  href: address,
  event: kindSchema,
  sequence: { type: 'integer', description: 'Grows within the account; `webhook-sequence` of a delivery.' },
  created_at: time,
  payload: recordSchema,
});

export const eventKindSchema = objectSchema<ReturnType<typeof eventKindPayload>>(
  'A kind of event that a webhook can ask for.',
  {
    event: kindSchema,
    when: string,
    record: { type: 'string', enum: ['Ticket', 'Customer', 'Message', 'Agent'] },
    sample: { ...recordSchema, description: 'What would be sent, about people who do not exist.' },
  },
);
