import { type JsonSchema, SCHEMAS, type TicketPart, ref } from '#libs/payloads';

const { properties } = SCHEMAS.Ticket;

const only = (name: string, schema: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { [name]: schema },
  required: [name],
});

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

/** What stands at the address of each part of a ticket. */
export const PART_SCHEMAS: Readonly<Record<TicketPart, JsonSchema>> = {
  state: only('state', properties!['state']!),
  assignee: only('agent', orNull(ref('Agent'))),
  assigned_group: only('group', orNull(ref('Group'))),
  priority: only('priority', properties!['priority']!),
  tags: only('tags', properties!['tags']!),
  mailbox: only('mailbox', ref('Mailbox')),
  title: only('title', properties!['title']!),
};
