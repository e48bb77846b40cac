import { AGENT_ROLES, AGENT_STATES, TICKET_PRIORITIES, TICKET_STATES } from '#libs/entities';
import type { agentPayload } from '../agent.payload.js';
import type { attachmentPayload } from '../attachment.payload.js';
import type { customerPayload } from '../customer.payload.js';
import type { groupPayload } from '../group.payload.js';
import type { mailboxPayload } from '../mailbox.payload.js';
import type { messagePayload } from '../message.payload.js';
import type { ticketPayload } from '../ticket.payload.js';
import {
  type JsonSchema,
  address,
  email,
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
import { WEBHOOK_SCHEMAS } from './webhook-schemas.js';

const Ticket = objectSchema<ReturnType<typeof ticketPayload>>('A conversation with a customer.', {
  assigned_group: nullableText('Name of the group it is assigned to.'),
  assignee: nullableText('E-mail of the agent it is assigned to.'),
  created_at: time,
  updated_at: time,
  number: { type: 'integer', minimum: 1, description: 'Counts up within the account, without reuse.' },
  priority: { type: ['string', 'null'], enum: [...TICKET_PRIORITIES, null] },
  resolution_time: { type: ['integer', 'null'], description: 'Seconds from creation to the last close.' },
  title: nullableText('The subject.'),
  href: address,
  closed_by: nullableText('E-mail of the agent who closed it.'),
  links: links(['customer', 'state', 'messages'], ['assignee']),
  id: text('The number as a string.'),
  state: { type: 'string', enum: TICKET_STATES },
  tags: { type: 'array', items: string },
  mailbox: text('Name of the mailbox it is in.'),
  summary: { type: 'string', description: 'The first 100 characters of the first message, as plain text.' },
  message_count: { type: 'integer', minimum: 0 },
  snoozed_until: nullableTime,
  customer_name: nullableText(),
  app_url: address,
});

const Customer = objectSchema<ReturnType<typeof customerPayload>>('Somebody who asks for help.', {
  href: address,
  links: links(['tickets']),
  email,
  first_name: string,
  last_name: string,
  about: nullableText(),
  twitter_username: nullableText(),
  title: nullableText(),
  company_name: nullableText(),
  phone_number: nullableText(),
  location: nullableText(),
  website_url: nullableText(),
  linkedin_username: nullableText(),
  custom: {
    type: 'object',
    description: 'Fields of the account’s own.',
    additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
    maxProperties: 50,
  },
  id,
  name: nullableText('First and last name; null when neither is known.'),
  avatar_url: nullableText(),
  created_at: time,
  updated_at: time,
});

const Message = objectSchema<ReturnType<typeof messagePayload>>('One message of a ticket.', {
  created_at: time,
  updated_at: time,
  note: { type: 'boolean', description: 'An internal note, which customers do not see.' },
  body: text('As it was sent, byte for byte: it may be HTML, and is not made safe.'),
  href: address,
  links: links(['author', 'ticket']),
  id,
  plain_text_body: text('The body without markup.'),
  agent_response: { type: 'boolean', description: 'Written by an agent for the customer.' },
  attachments: { type: 'array', items: ref('Attachment') },
});

const Agent = objectSchema<ReturnType<typeof agentPayload>>('Somebody who helps.', {
  email,
  first_name: string,
  last_name: string,
  href: address,
  links: links(['tickets', 'groups']),
  id,
  role: { type: 'string', enum: AGENT_ROLES },
  state: { type: 'string', enum: AGENT_STATES },
});

const Group = objectSchema<ReturnType<typeof groupPayload>>('Agents to whom tickets can be assigned together.', {
  name: string,
  href: address,
  links: links(['tickets', 'agents']),
  id,
  created_at: time,
  updated_at: time,
});

const Mailbox = objectSchema<ReturnType<typeof mailboxPayload>>('Where tickets come in.', {
  name: string,
  email,
  href: address,
  links: links(['tickets']),
  id,
  created_at: time,
  updated_at: time,
});

const Attachment = objectSchema<ReturnType<typeof attachmentPayload>>('A file that came with a message.', {
  id,
  href: address,
  links: links(['message']),
  name: string,
  content_type: text('As the sender told it; not looked into.'),
  size: { type: 'integer', minimum: 0, description: 'In bytes.' },
  url: {
    ...address,
    description: 'Where the bytes are, without a token, for 15 to 30 minutes; then read `href` again.',
  },
  created_at: time,
});

const Folder: JsonSchema = {
  type: 'object',
  description: 'A built-in view of tickets.',
  properties: { id: string, name: string, links: links(['tickets']) },
  required: ['id', 'name', 'links'],
};

const Link: JsonSchema = { type: 'object', properties: { href: address }, required: ['href'] };

/** Every record that an answer or an event can carry, by the name the OpenAPI document gives it. */
export const SCHEMAS = {
  Ticket,
  Customer,
  Message,
  Agent,
  Group,
  Mailbox,
  Attachment,
  Folder,
  Link,
  ...WEBHOOK_SCHEMAS,
} satisfies Record<string, JsonSchema>;

export type SchemaName = keyof typeof SCHEMAS;
