import type { Event } from '#libs/entities';
import { EVENT_KINDS, type EventKind } from './event-kinds.js';
import * as json from './json-schema.js';
import { recordPayload } from './record-payload.js';
import { samplePayload } from './sample-payloads.js';

export const kindSchema = json.oneOf(Object.keys(EVENT_KINDS));

export const recordSchema: json.JsonSchema = {
  type: 'object',
  description: 'The record at the time of the event: a Ticket, Customer, Message or Agent.',
  additionalProperties: true,
};

export const eventPayload = recordPayload<Event>('Something that happened in the account.', {
  id: [json.text('Sent to webhooks as `webhook-id`.'), 'id'],
  href: [json.address, (event, links) => links.record('events', event.id)],
  event: [kindSchema, 'kind'],
  sequence: [
    json.integer('Increases with every event of the account. Sent as `webhook-sequence`.'),
    ({ sequence }) => Number(sequence),
  ],
  created_at: [json.time, 'createdAt'],
  payload: [recordSchema, ({ payload }) => JSON.parse(payload) as object],
});

export const eventKindPayload = recordPayload<EventKind>('A kind of event that a webhook can subscribe to.', {
  event: [kindSchema, (kind) => kind],
  when: [json.string, (kind) => EVENT_KINDS[kind].when],
  record: [json.oneOf(['Ticket', 'Customer', 'Message', 'Agent']), (kind) => EVENT_KINDS[kind].record],
  sample: [{ ...recordSchema, description: 'A sample payload with fictitious people.' }, samplePayload],
});
