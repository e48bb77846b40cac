import { CustomerMailsService, type SeenThread, TicketsService } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { PresencesService } from '../../layers/live/presences.service.js';
import { type ThreadQuery, ThreadReader } from '../../messages/index.js';
import { actingOf } from '../../layers/shell/acting.js';
import type { Me } from '../../layers/sign-in/me.decorator.js';
import { WritingReader } from './writing.reader.js';

export type OpenTicket = Awaited<ReturnType<OpenTicketReader['read']>>;

export interface OpenTicketQuery extends ThreadQuery {
  /** The part of the thread that the page had shown when its reply was held back. */
  readonly heldBack?: SeenThread | undefined;
  /** The id of the saved reply in the composer, if it is not that of the draft. */
  readonly savedReply?: string | undefined;
}

@Injectable()
export class OpenTicketReader {
  constructor(
    private readonly tickets: TicketsService,
    private readonly threads: ThreadReader,
    private readonly presences: PresencesService,
    private readonly writing: WritingReader,
    private readonly mails: CustomerMailsService,
  ) {}

  async read(me: Me, number: number, query: OpenTicketQuery) {
    const context = actingOf(me);
    const ticket = await this.tickets.read(context, number);
    const [thread, otherTickets, presentAgents, writing] = await Promise.all([
      this.threads.read(context, ticket, query),
      this.tickets.othersOf(context, ticket),
      this.presences.others({ ...me, ticket: number }),
      this.writing.read(context, number, query.savedReply),
    ]);
    const mailRoute = this.mails.routeOf(ticket.mailbox);
    return { ticket, thread, otherTickets, presentAgents, mailRoute, heldBack: query.heldBack, ...writing };
  }
}
