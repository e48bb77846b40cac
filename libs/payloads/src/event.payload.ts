import type { Event } from '#libs/entities';
import { EVENT_KINDS, type EventKind } from './event-kinds.js';
import * as json from './json-schema.js';
import { recordPayload } from './record-payload.js';
import { samplePayload } from './sample-payloads.js';

export const kindSchema = json.oneOf(Object.keys(EVENT_KINDS));

export const recordSchema: json.JsonSchema = {
  type: 'object',
  description: 'The record as it was when the event happened: a Ticket, Customer, Message or Agent.',
  additionalProperties: true,
};

export const eventPayload = recordPayload<Event>('Something that happened.', {
  id: [json.text('The same that a webhook gets as `webhook-id`.'), 'id'],
  href: [json.address, (event, links) => links.record('events', event.id)],
  event: [kindSchema, 'kind'],
  sequence: [
    json.integer('Grows within the account; `webhook-sequence` of a delivery.'),
    ({ sequence }) => Number(sequence),
  ],
  created_at: [json.time, 'createdAt'],
  payload: [recordSchema, ({ payload }) => JSON.parse(payload) as object],
});

export const eventKindPayload = recordPayload<EventKind>('A kind of event that a webhook can ask for.', {
  event: [kindSchema, (kind) => kind],
  when: [json.string, (kind) => EVENT_KINDS[kind].when],
  record: [json.oneOf(['Ticket', 'Customer', 'Message', 'Agent']), (kind) => EVENT_KINDS[kind].record],
  sample: [{ ...recordSchema, description: 'What would be sent, about people who do not exist.' }, samplePayload],
});
