import type { Customer, Message, Ticket } from '#libs/entities';
import { customerPayload } from './customer.payload.js';
import { ref } from './json-schema.js';
import type { Links } from './links.js';
import { messagePayload } from './message.payload.js';
import type { RecordPayload } from './record-payload.js';
import { ticketPayload } from './ticket.payload.js';

/** A ticket with the records that `include` names. */
export interface WholeTicket {
  readonly ticket: Ticket;
  readonly customer?: Customer;
  /** Oldest first. */
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
