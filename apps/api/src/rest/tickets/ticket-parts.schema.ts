import { type JsonSchema, SCHEMAS, type TicketSubresource, ref } from '#libs/payloads';

const { properties } = SCHEMAS.Ticket;

const singleProperty = (name: string, schema: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { [name]: schema },
  required: [name],
});

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

/** What stands at the address of each part of a ticket. */
export const TICKET_PART_SCHEMAS: Readonly<Record<TicketSubresource, JsonSchema>> = {
  state: singleProperty('state', properties!['state']!),
  assignee: singleProperty('agent', orNull(ref('Agent'))),
  assigned_group: singleProperty('group', orNull(ref('Group'))),
  priority: singleProperty('priority', properties!['priority']!),
  tags: singleProperty('tags', properties!['tags']!),
  mailbox: singleProperty('mailbox', ref('Mailbox')),
  title: singleProperty('title', properties!['title']!),
};
