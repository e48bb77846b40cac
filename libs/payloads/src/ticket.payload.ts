import {
  type Customer,
  LAST_TEXT_CHARACTERS,
  type Message,
  TICKET_PRIORITIES,
  TICKET_STATES,
  type Ticket,
  type TicketState,
} from '#libs/entities';
import * as json from './json-schema.js';
import type { Links } from './links.js';
import { mailboxPayload } from './mailbox.payload.js';
import { messagePayload } from './message.payload.js';
import { CUSTOM_FIELDS, agentPayload, customerPayload, groupPayload } from './people.payload.js';
import { type RecordPayload, recordPayload } from './record-payload.js';

/** Section 2.3 of the specification in its order, then our own fields. */
export const ticketPayload = recordPayload<Ticket>('A conversation with a customer.', {
  assigned_group: [json.nullableText('Name of the assigned group.'), ({ assignedGroup }) => assignedGroup?.name],
  assignee: [json.nullableText('Email of the assigned agent.'), ({ assignee }) => assignee?.email],
  created_at: [json.createdAt, 'createdAt'],
  updated_at: [json.updatedAt, 'updatedAt'],
  number: [{ type: 'integer', minimum: 1, description: 'Increases within the account and is never reused.' }, 'number'],
  priority: [json.oneOfOrNull(TICKET_PRIORITIES, 'The priority. Null if none is set.'), 'priority'],
  resolution_time: [json.integerOrNull('Seconds from creation to the last close.'), 'resolutionTime'],
  title: [json.nullableText('The subject.'), 'title'],
  href: [json.href, ({ number }, links) => links.ticket(number)],
  closed_by: [json.nullableText('Email of the agent who closed it.'), ({ closedBy }) => closedBy?.email],
  links: [
    json.linksTo(['customer', 'state', 'messages'], ['assignee']),
    ({ assignee, customer, number }, links) => ({
      ...(assignee && { assignee: { href: links.agent(assignee.email) } }),
      customer: { href: links.customer(customer.email) },
      state: { href: links.ticketState(number) },
      messages: { href: links.ticketMessages(number) },
    }),
  ],
  id: [json.text('The number as a string.'), ({ number }) => String(number)],
  state: [
    json.oneOf(TICKET_STATES, '`unread`: not answered yet. `opened`: answered. `pending`: waiting for the customer.'),
    'state',
  ],
  tags: [json.listOf(json.string, 'Tags, at most 50.'), 'tags'],
  mailbox: [json.text('Name of the mailbox.'), ({ mailbox }) => mailbox.name],
  summary: [json.text('The first 100 characters of the first message, as plain text.'), 'summary'],
  message_count: [json.countOf('Number of messages and notes.'), 'messageCount'],
  snoozed_until: [json.timeOrNull('When the snooze ends. Null if the ticket is not snoozed.'), 'snoozedUntil'],
  customer_name: [
    json.text('Name of the customer, or the email if there is no name.'),
    ({ customer }) => customer.name() ?? customer.email,
  ],
  app_url: [json.addressOf('The ticket in the console.'), ({ number }, links) => links.ticketPage(number)],
  mailbox_id: [json.text('Id of the mailbox.'), ({ mailbox }) => mailbox.id],
  last_message_plain_text: [
    json.nullableText(
      `The first ${LAST_TEXT_CHARACTERS} characters of the last message, as plain text. Notes are skipped.`,
    ),
    'lastMessageText',
  ],
  customer_id: [json.text('Id of the customer.'), ({ customer }) => customer.id],
  assignee_id: [json.nullableText('Id of the assigned agent.'), ({ assignee }) => assignee?.id],
  closed_at: [json.timeOrNull('When it was closed, to the second. Null while it is not.'), (one) => one.closedAt()],
  first_reply_at: [
    json.timeOrNull('When an agent first wrote to the customer. Notes and the starting message do not count.'),
    'firstReplyAt',
  ],
  external_id: [json.nullableText('Id of the ticket in your system. Unique in the account.'), 'externalId'],
  custom: [CUSTOM_FIELDS, ({ custom }) => custom ?? {}],
  cc: [json.listOf(json.string, 'Addresses that the console suggests as Cc of the next reply.'), 'ccAddresses'],
  merged_into: [json.integerOrNull('Number of the ticket that its messages were merged into.'), 'mergedInto'],
});

const part = (name: string, schema: json.JsonSchema): json.JsonSchema => json.objectOf({ [name]: schema });

const field = (name: string) => ({
  payload: (ticket: Ticket, links: Links) => ({ [name]: ticketPayload(ticket, links)[name] }),
  schema: part(name, ticketPayload.schema.properties[name]!),
});

interface PartOfTicket {
  readonly payload: (ticket: Ticket, links: Links) => object;
  readonly schema: json.JsonSchema;
  /** Also the kind of an event, if one has this name. */
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
    schema: part('agent', json.refOrNull('Agent', 'The assigned agent, or null.')),
    activity: 'ticket_assigned',
  },
  assigned_group: {
    payload: ({ assignedGroup }, links) => ({ group: assignedGroup && groupPayload(assignedGroup, links) }),
    schema: part('group', json.refOrNull('Group', 'The assigned group, or null.')),
    activity: 'ticket_assigned',
  },
  priority: { ...field('priority'), activity: 'ticket_priority_changed' },
  tags: { ...field('tags'), activity: 'ticket_tagged' },
  mailbox: {
    payload: ({ mailbox }, links) => ({ mailbox: mailboxPayload(mailbox, links) }),
    schema: part('mailbox', json.ref('Mailbox')),
    activity: 'ticket_moved',
  },
  customer: {
    payload: ({ customer }) => ({ customer: customer.email }),
    schema: part('customer', json.text('Email of the customer.')),
    activity: 'ticket_customer_changed',
  },
  title: { ...field('title'), activity: 'ticket_retitled' },
  snoozed_until: { ...field('snoozed_until'), activity: 'ticket_snoozed' },
  external_id: { ...field('external_id'), activity: 'ticket_fields_changed' },
  custom: { ...field('custom'), activity: 'ticket_fields_changed' },
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
      description: 'A ticket with the records requested by `include`.',
      properties: {
        ...schema.properties,
        customer: json.ref('Customer'),
        messages: json.listOf(json.ref('Message'), 'The first messages, oldest first.'),
        has_all_messages: json.flag('Sent with `messages`. False if the ticket has more; `links.messages` lists them.'),
      },
    },
    // Only the fields of the ticket come from a row.
    fields: fields as never,
  },
);
