import {
  type Customer,
  LAST_TEXT_CHARACTERS,
  type Message,
  TICKET_PRIORITIES,
  TICKET_STATES,
  type Ticket,
  type TicketState,
} from '#libs/entities';
import {
  type JsonSchema,
  address,
  count,
  id,
  linksTo,
  nullableText,
  nullableTime,
  objectOf,
  oneOf,
  oneOfOrNull,
  ref,
  string,
  text,
  time,
} from './json-schema.js';
import type { Links } from './links.js';
import { mailboxPayload } from './mailbox.payload.js';
import { messagePayload } from './message.payload.js';
import { agentPayload, customerPayload, groupPayload } from './people.payload.js';
import { type RecordPayload, recordPayload } from './record-payload.js';

/** Section 2.3 of the specification in its order, then our own fields. */
export const ticketPayload = recordPayload<Ticket>('A conversation with a customer.', {
  assigned_group: [nullableText('Name of the group it is assigned to.'), ({ assignedGroup }) => assignedGroup?.name],
  assignee: [nullableText('E-mail of the agent it is assigned to.'), ({ assignee }) => assignee?.email],
  created_at: [time, 'createdAt'],
  updated_at: [time, 'updatedAt'],
  number: [{ type: 'integer', minimum: 1, description: 'Counts up within the account, without reuse.' }, 'number'],
  priority: [oneOfOrNull(TICKET_PRIORITIES), 'priority'],
  resolution_time: [
    { type: ['integer', 'null'], description: 'Seconds from creation to the last close.' },
    'resolutionTime',
  ],
  title: [nullableText('The subject.'), 'title'],
  href: [address, ({ number }, links) => links.ticket(number)],
  closed_by: [nullableText('E-mail of the agent who closed it.'), ({ closedBy }) => closedBy?.email],
  links: [
    linksTo(['customer', 'state', 'messages'], ['assignee']),
    ({ assignee, customer, number }, links) => ({
      ...(assignee && { assignee: { href: links.agent(assignee.email) } }),
      customer: { href: links.customer(customer.email) },
      state: { href: links.ticketState(number) },
      messages: { href: links.ticketMessages(number) },
    }),
  ],
  id: [text('The number as a string.'), ({ number }) => String(number)],
  state: [oneOf(TICKET_STATES), 'state'],
  tags: [{ type: 'array', items: string }, 'tags'],
  mailbox: [text('Name of the mailbox it is in.'), ({ mailbox }) => mailbox.name],
  summary: [
    { type: 'string', description: 'The first 100 characters of the first message, as plain text.' },
    'summary',
  ],
  message_count: [count, 'messageCount'],
  snoozed_until: [nullableTime, 'snoozedUntil'],
  customer_name: [text('The name, or else the e-mail.'), ({ customer }) => customer.name() ?? customer.email],
  app_url: [address, ({ number }, links) => links.ticketPage(number)],
  mailbox_id: [id, ({ mailbox }) => mailbox.id],
  last_message_plain_text: [
    nullableText(`The first ${LAST_TEXT_CHARACTERS} characters of the last message that is no note, as plain text.`),
    'lastMessageText',
  ],
});

const part = (name: string, schema: JsonSchema): JsonSchema => objectOf({ [name]: schema });

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

const field = (name: string) => ({
  payload: (ticket: Ticket, links: Links) => ({ [name]: ticketPayload(ticket, links)[name] }),
  schema: part(name, ticketPayload.schema.properties[name]!),
});

interface PartOfTicket {
  readonly payload: (ticket: Ticket, links: Links) => object;
  readonly schema: JsonSchema;
  /** Also the kind of an event, if there is one of that name. */
  readonly activity: string | Readonly<Record<TicketState, string>>;
}

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
  snoozed_until: { ...field('snoozed_until'), activity: 'ticket_snoozed' },
} as const satisfies Record<string, PartOfTicket>;

export type TicketPart = keyof typeof TICKET_PARTS;

type ActivityOf<Part extends TicketPart> = (typeof TICKET_PARTS)[Part]['activity'];
type EachOf<Activity> = Activity extends string ? Activity : Activity[keyof Activity];
export type TicketActivity = { [Part in TicketPart]: EachOf<ActivityOf<Part>> }[TicketPart];

export interface WholeTicket {
  readonly ticket: Ticket;
  readonly customer?: Customer;
  readonly messages?: readonly Message[];
  readonly hasAll?: boolean;
}

const { schema, fields } = ticketPayload;

export const wholeTicketPayload: RecordPayload<WholeTicket> = Object.assign(
  ({ ticket, customer, messages, hasAll }: WholeTicket, links: Links) => ({
    ...ticketPayload(ticket, links),
    ...(customer && { customer: customerPayload(customer, links) }),
    ...(messages && {
      messages: messages.map((message) => messagePayload(message, links)),
      has_all_messages: hasAll,
    }),
  }),
  {
    schema: {
      ...schema,
      description: 'A ticket, with what `include` names.',
      properties: {
        ...schema.properties,
        customer: ref('Customer'),
        messages: { type: 'array', items: ref('Message'), description: 'The first ones, oldest first.' },
        has_all_messages: {
          type: 'boolean',
          description: 'Beside `messages`: false where the ticket has more, which `links.messages` lists.',
        },
      },
    },
    // Only the fields of the ticket come from a row.
    fields: fields as never,
  },
);
