import { type AccountConnection, Transactions, accountStatement } from '#libs/database';
import type { Message, Ticket } from '#libs/entities';
import { type Page, fittingRecords } from '#libs/lists';
import type { WholeTicket } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { type Included, MAX_INCLUDED_MESSAGES } from './included.js';
import type { TicketQuery } from './lists/ticket-lists.service.js';
import { BODY_BYTES, messagePages } from './messages/message-pages.js';
import { loadMessages } from './messages/message.statements.js';
import type { RequestContext } from './request-context.js';
import { TicketsService } from './tickets.service.js';

/** Reads one more than is shown, to know whether there are more. */
const FIND = accountStatement(
  'ticket_find_messages',
  `select s.id, s.ticket_id as "ticketId", s.bytes from unnest($2::uuid[]) with ordinality as t(id, place)
   cross join lateral (
     select s.id, s.ticket_id, ${BODY_BYTES} as bytes from messages s
     where s.account_id = $1 and s.ticket_id = t.id order by s.id limit ${MAX_INCLUDED_MESSAGES + 1}
   ) s order by t.place, s.id`,
);

interface FoundMessage {
  readonly id: string;
  readonly ticketId: string;
  readonly bytes: number;
}

/** Tickets with the records they include, loaded together. */
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

/** Fills one page of messages, starting with the first ticket. */
async function messagesOf(account: AccountConnection, tickets: readonly Ticket[]): Promise<MessagesOfTickets> {
  const found = await account.rows<FoundMessage>(FIND, [tickets.map(({ id }) => id)]);
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
