import { Transactions, isUuid } from '#libs/database';
import { type Message, NotFound, type Ticket, Unavailable } from '#libs/entities';
import { FairQueue } from '#libs/pacing';
import { Conditions, ListsService, type Page, type PageRequest } from '#libs/lists';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../request-context.js';
import { readTicket } from '../ticket.statements.js';
import { BODY_BYTES, MESSAGE_ORDERS, OLDEST_UPDATE_FIRST, listingOf } from './message-list.statements.js';
import { loadMessages, readMessage } from './message.statements.js';
import { type NewMessage, NewMessagesService, type Sending } from './new-messages.service.js';

export interface UpdatedMessagesQuery extends PageRequest {
  readonly updatedSince?: Date | undefined;
}

@Injectable()
export class MessagesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly lists: ListsService,
    private readonly newMessages: NewMessagesService,
  ) {}

  async list(
    context: RequestContext,
    number: number,
    request: PageRequest,
    order: keyof typeof MESSAGE_ORDERS = 'oldest first',
  ): Promise<Page<Message>> {
    return this.listOf(context, await readTicket(this.transactions.account(context), number), request, order);
  }

  listOf(
    context: RequestContext,
    ticket: Pick<Ticket, 'id'>,
    request: PageRequest,
    order: keyof typeof MESSAGE_ORDERS,
  ): Promise<Page<Message>> {
    return messagePages.run(context.accountId, () =>
      this.lists.page(context, listingOf(ticket, order), request, loadMessages),
    );
  }

  listUpdated(context: RequestContext, { updatedSince, ...request }: UpdatedMessagesQuery): Promise<Page<Message>> {
    const conditions = Conditions.forAccount('s');
    if (updatedSince) conditions.add(`s.updated_at >= ${conditions.bind(updatedSince)}`);
    const listing = { from: 'messages s', id: 's.id', conditions, order: OLDEST_UPDATE_FIRST, bytes: BODY_BYTES };
    return messagePages.run(context.accountId, () => this.lists.page(context, listing, request, loadMessages));
  }

  read(context: RequestContext, id: string): Promise<Message> {
    if (!isUuid(id)) throw new NotFound('message');
    return readMessage(this.transactions.account(context), id);
  }

  /** Only the console passes `sending`. */
  post(context: RequestContext, number: number, wanted: NewMessage, sending: Sending = {}): Promise<Message> {
    return this.newMessages.post(context, number, wanted, sending);
  }
}

/** Limits memory: a page of messages can be large. Accounts take turns. */
export const messagePages = new FairQueue({
  maxConcurrent: 4,
  maxWaiting: 500,
  newRefusal: () => new Unavailable('overloaded', 'Too many messages are being read at once. Try again in a second.'),
});
