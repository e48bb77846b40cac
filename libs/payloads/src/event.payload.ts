import { CAUSE_TYPES, type Event } from '#libs/entities';
import { EVENT_KINDS, type EventKind } from './event-kinds.js';
import * as json from './json-schema.js';
import { recordPayload } from './record-payload.js';
import { samplePayload } from './sample-payloads.js';

export const kindSchema = json.oneOf(Object.keys(EVENT_KINDS), 'The kind of event.');

export const recordSchema: json.JsonSchema = {
  type: 'object',
  description: 'The record at the time of the event: a Ticket, Customer, Message or Agent.',
  additionalProperties: true,
};

const causeSchema: json.JsonSchema = {
  ...json.objectOf({
    type: json.oneOf(CAUSE_TYPES, 'What kind of actor it was.'),
    client_id: json.text('Client id of the application, or id of the personal access token.'),
    agent_id: json.text('The agent who acted, or for whom the client acted.'),
  }),
  description: 'Who caused it.',
  required: ['type'],
};

export const eventPayload = recordPayload<Event>('Something that happened in the account.', {
  id: [json.text('Sent to webhooks as `webhook-id`.'), 'id'],
  href: [json.href, (event, links) => links.record('events', event.id)],
  event: [kindSchema, 'kind'],
  sequence: [
    json.integer('Increases with every event of the account. Sent as `webhook-sequence`.'),
    ({ sequence }) => Number(sequence),
  ],
  created_at: [json.createdAt, 'createdAt'],
  payload: [recordSchema, ({ payload }) => JSON.parse(payload) as object],
  account: [json.objectOf({ id: json.id }, 'The account of the event.'), ({ accountId }) => ({ id: accountId })],
  cause: [causeSchema, ({ cause: { type, clientId, agentId } }) => ({ type, client_id: clientId, agent_id: agentId })],
  changes: [
    {
      type: 'object',
      description: 'Fields of the record that the event is about, each with its value before and after.',
      additionalProperties: { type: 'array', minItems: 2, maxItems: 2, items: {} },
    },
    ({ changes }) => changes ?? {},
  ],
});

export const eventKindPayload = recordPayload<EventKind>('A kind of event that a webhook can subscribe to.', {
  event: [kindSchema, (kind) => kind],
  when: [json.text('What causes the event.'), (kind) => EVENT_KINDS[kind].when],
  record: [
    json.oneOf(['Ticket', 'Customer', 'Message', 'Agent'], 'The schema of the payload.'),
    (kind) => EVENT_KINDS[kind].record,
  ],
  sample: [{ ...recordSchema, description: 'A sample payload with fictitious people.' }, samplePayload],
});
