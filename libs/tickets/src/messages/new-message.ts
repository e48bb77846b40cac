import { uuidAt } from '#libs/database';
import { Agent, type Customer, Message, type MessageChannel, type Ticket } from '#libs/entities';
import type { RenderedBody } from '../bodies/render-body.js';

export interface WrittenMessage {
  readonly body: string;
  readonly note?: boolean | undefined;
  readonly sentAt?: Date | undefined;
  /** The recipients that a mail names. An agent's reply is addressed to the customer of its ticket. */
  readonly toAddresses?: readonly string[] | undefined;
  readonly ccAddresses?: readonly string[] | undefined;
  /** Absent for what is written in the console or over the API. */
  readonly channel?: MessageChannel | undefined;
}

/** A customer who writes for the first time has no id yet: their author is null, and the statement fills it in. */
export function newMessage(
  {
    body,
    note = false,
    sentAt,
    channel,
    rendered,
    toAddresses = [],
    ccAddresses = [],
  }: WrittenMessage & { readonly rendered: RenderedBody },
  ticket: Ticket,
  author: Agent | Customer | null,
  now: Date,
): Message {
  return Object.assign(new Message(), {
    id: uuidAt(sentAt ?? now),
    ticketId: ticket.id,
    authorAgentId: author instanceof Agent ? author.id : null,
    authorCustomerId: author instanceof Agent ? null : (author?.id ?? null),
    note,
    body,
    ...rendered,
    toAddresses,
    ccAddresses,
    channel: channel ?? null,
    sentAt: sentAt ?? null,
    createdAt: now,
    updatedAt: now,
    ...(author && { author }),
    recipient: note ? null : author instanceof Agent ? ticket.customer : ticket.assignee,
    ticketNumber: ticket.number,
    attachments: [],
    delivery: null,
    deliveryReason: null,
    copies: [],
  });
}
