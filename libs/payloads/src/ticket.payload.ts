import { TICKET_PRIORITIES, TICKET_STATES, type Ticket, type TicketState } from '#libs/entities';
import { agentPayload } from './agent.payload.js';
import { groupPayload } from './group.payload.js';
import {
  type JsonSchema,
  address,
  linksTo,
  nullableText,
  nullableTime,
  objectSchema,
  ref,
  string,
  text,
  time,
} from './json-schema.js';
import type { Links } from './links.js';
import { mailboxPayload } from './mailbox.payload.js';

/** The fields of section 2.3 of the specification in its order, then our own. */
export function ticketPayload(ticket: Ticket, links: Links) {
  return {
    assigned_group: ticket.assignedGroup?.name ?? null,
    assignee: ticket.assignee?.email ?? null,
    created_at: ticket.createdAt.toISOString(),
    updated_at: ticket.updatedAt.toISOString(),
    number: ticket.number,
    priority: ticket.priority,
    resolution_time: ticket.resolutionTime,
    title: ticket.title,
    href: links.ticket(ticket.number),
    closed_by: ticket.closedBy?.email ?? null,
    links: {
      ...(ticket.assignee && { assignee: { href: links.agent(ticket.assignee.email) } }),
      customer: { href: links.customer(ticket.customer.email) },
      state: { href: links.ticketState(ticket.number) },
      messages: { href: links.ticketMessages(ticket.number) },
    },
    id: String(ticket.number),
    state: ticket.state,
    tags: ticket.tags,
    mailbox: ticket.mailbox.name,
    summary: ticket.summary,
    message_count: ticket.messageCount,
    snoozed_until: ticket.snoozedUntil?.toISOString() ?? null,
    customer_name: ticket.customer.name(),
    app_url: links.ticketPage(ticket.number),
  };
}

export const ticketSchema = objectSchema<ReturnType<typeof ticketPayload>>('A conversation with a customer.', {
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
  links: linksTo(['customer', 'state', 'messages'], ['assignee']),
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

const part = (name: string, schema: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { [name]: schema },
  required: [name],
});

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

/** A field of the record that has an address of its own. */
const field = (name: keyof ReturnType<typeof ticketPayload>) => ({
  payload: (ticket: Ticket, links: Links) => ({ [name]: ticketPayload(ticket, links)[name] }),
  schema: part(name, ticketSchema.properties![name]!),
});

interface PartOfTicket {
  readonly payload: (ticket: Ticket, links: Links) => object;
  readonly schema: JsonSchema;
  /** The kind of activity, and of event if there is one of that name, that a change is recorded as. */
  readonly activity: string | Readonly<Record<TicketState, string>>;
}

/** The parts of a ticket that have an address of their own. */
export const TICKET_PARTS = {
  state: {
    ...field('state'),
    activity: {
      unread: 'ticket_state_changed',
      opened: 'ticket_opened',
      pending: 'ticket_state_changed',
      closed: 'ticket_closed',
      spam: 'ticket_state_changed',
    },
  },
  assignee: {
    payload: ({ assignee }, links) => ({ agent: assignee && agentPayload(assignee, links) }),
    schema: part('agent', orNull(ref('Agent'))),
    activity: 'ticket_assigned',
  },
  assigned_group: {
    payload: ({ assignedGroup }, links) => ({ group: assignedGroup && groupPayload(assignedGroup, links) }),
    schema: part('group', orNull(ref('Group'))),
    activity: 'ticket_assigned',
  },
  priority: { ...field('priority'), activity: 'ticket_priority_changed' },
  tags: { ...field('tags'), activity: 'ticket_tagged' },
  mailbox: {
    payload: ({ mailbox }, links) => ({ mailbox: mailboxPayload(mailbox, links) }),
    schema: part('mailbox', ref('Mailbox')),
    activity: 'ticket_moved',
  },
  title: { ...field('title'), activity: 'ticket_retitled' },
} as const satisfies Record<string, PartOfTicket>;

export type TicketPart = keyof typeof TICKET_PARTS;

type ActivityOf<Part extends TicketPart> = (typeof TICKET_PARTS)[Part]['activity'];
type EachOf<Activity> = Activity extends string ? Activity : Activity[keyof Activity];
export type TicketActivity = { [Part in TicketPart]: EachOf<ActivityOf<Part>> }[TicketPart];
