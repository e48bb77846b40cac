import { uuidAt } from '#libs/database';
import { Agent, type Customer, InvalidField, Message, type MessageChannel, type Ticket } from '#libs/entities';
import type { RenderedBody, Markup } from '../bodies/render-body.js';

export interface WrittenMessage extends Markup {
  readonly note?: boolean | undefined;
  readonly sentAt?: Date | undefined;
  readonly toAddresses?: readonly string[] | undefined;
  readonly ccAddresses?: readonly string[] | undefined;
  readonly channel?: MessageChannel | undefined;
  readonly automatic?: boolean | undefined;
}

/** `author` is null for a new customer; the statement fills it in. */
export function newMessage(
  written: WrittenMessage & { readonly rendered: RenderedBody },
  ticket: Ticket,
  author: Agent | Customer | null,
  now: Date,
): Message {
  const { body, note = false, sentAt, channel, automatic, rendered, toAddresses = [], ccAddresses = [] } = written;
  return Object.assign(new Message(), {
    id: uuidAt(sentAt ?? now),
    ticketId: ticket.id,
    authorAgentId: author instanceof Agent ? author.id : null,
    authorCustomerId: author instanceof Agent ? null : (author?.id ?? null),
    applicationId: null,
    application: null,
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
    mentioned: [],
    automatic,
    delivery: null,
    deliveryReason: null,
    copies: [],
  });
}

const CLOCK_SKEW_MS = 5 * 60_000;

export function refuseFuture(sentAt: Date | undefined, now: Date): void {
  if (sentAt && sentAt.getTime() > now.getTime() + CLOCK_SKEW_MS)
    throw new InvalidField('sent_at', 'in_the_future', 'sent_at must not be in the future');
}
