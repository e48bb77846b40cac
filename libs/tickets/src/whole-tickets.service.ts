import { type AccountConnection, Transactions } from '#libs/database';
import type { Message, Ticket } from '#libs/entities';
import { type Page, fittingRecords } from '#libs/lists';
import type { WholeTicket } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import type { TicketQuery } from './lists/ticket-lists.service.js';
import { type FoundMessage, findFirstMessages } from './messages/message-list.statements.js';
import { loadMessages } from './messages/message.statements.js';
import { messagePages } from './messages/messages.service.js';
import type { RequestContext } from './request-context.js';
import { TicketsService } from './tickets.service.js';

export const INCLUDED = ['messages', 'customer'] as const;
export type Included = (typeof INCLUDED)[number];

/** Keeps a page of fifty tickets small. */
export const MAX_INCLUDED_MESSAGES = 25;

@Injectable()
export class WholeTicketsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly tickets: TicketsService,
  ) {}

  async list(context: RequestContext, query: TicketQuery, included: readonly Included[]): Promise<Page<WholeTicket>> {
    const page = await this.tickets.list(context, query);
    return { ...page, items: await this.withIncluded(context, page.items, included) };
  }

  async read(context: RequestContext, number: number, included: readonly Included[]): Promise<WholeTicket> {
    const ticket = await this.tickets.read(context, number);
    return (await this.withIncluded(context, [ticket], included))[0]!;
  }

  private async withIncluded(
    context: RequestContext,
    tickets: readonly Ticket[],
    included: readonly Included[],
  ): Promise<WholeTicket[]> {
    const account = this.transactions.account(context);
    const messages = included.includes('messages')
      ? await messagePages.run(context.accountId, () => messagesOf(account, tickets))
      : undefined;
    return tickets.map((ticket) => ({
      ticket,
      ...(included.includes('customer') && { customer: ticket.customer }),
      ...(messages && withMessages(ticket, messages)),
    }));
  }
}

interface MessagesOfTickets {
  readonly found: readonly FoundMessage[];
  readonly shown: ReadonlyMap<string, Message>;
}

async function messagesOf(account: AccountConnection, tickets: readonly Ticket[]): Promise<MessagesOfTickets> {
  const found = await findFirstMessages(
    account,
    tickets.map(({ id }) => id),
    MAX_INCLUDED_MESSAGES + 1,
  );
  const wanted = tickets.flatMap(({ id }) =>
    found.filter(({ ticketId }) => ticketId === id).slice(0, MAX_INCLUDED_MESSAGES),
  );
  const fitting = wanted.slice(0, fittingRecords(wanted.map(({ bytes }) => bytes)));
  const messages = await loadMessages(
    account,
    fitting.map(({ id }) => id),
  );
  return { found, shown: new Map(messages.map((message) => [message.id, message])) };
}

function withMessages({ id }: Ticket, { found, shown }: MessagesOfTickets): Pick<WholeTicket, 'messages' | 'hasAll'> {
  const own = found.filter(({ ticketId }) => ticketId === id);
  const messages = own.flatMap((one) => shown.get(one.id) ?? []);
  return { messages, hasAll: messages.length === own.length };
}
