import type { Customer, Message, Ticket } from '#libs/entities';
import { customerPayload } from './customer.payload.js';
import { ref } from './json-schema.js';
import type { Links } from './links.js';
import { messagePayload } from './message.payload.js';
import type { RecordPayload } from './record-payload.js';
import { ticketPayload } from './ticket.payload.js';

/** A ticket with what was asked for beside it. */
export interface WholeTicket {
  readonly ticket: Ticket;
  readonly customer?: Customer;
  /** The oldest first. */
  readonly messages?: readonly Message[];
  readonly hasAll?: boolean;
}

const { schema, fields } = ticketPayload;

/** What was not asked for is absent, and then it is the record of a ticket, field by field. */
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
    // Only those of the ticket have a row of their own to come from.
    fields: fields as never,
  },
);
