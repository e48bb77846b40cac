import { TicketsService } from '#libs/desk';
import { Injectable } from '@nestjs/common';
import type { Me } from '../../sign-in/session.guard.js';
import { actingOf } from '../form-submission.js';
import { TicketChoicesReader } from './ticket-choices.reader.js';
import type { InboxQuery } from './inbox-query.js';
import { LastMessagesReader } from './last-messages.reader.js';
import { type OpenTicket, OpenTicketReader } from './open-ticket.reader.js';
import type { ThreadQuery } from './thread.reader.js';
import { WritingReader } from './writing.reader.js';

const TICKETS_PER_PAGE = 25;

export type InboxView = Awaited<ReturnType<InboxReader['list']>>;

/** Loads what the inbox shows. */
@Injectable()
export class InboxReader {
  constructor(
    private readonly tickets: TicketsService,
    private readonly choices: TicketChoicesReader,
    private readonly openTickets: OpenTicketReader,
    private readonly writing: WritingReader,
    private readonly lastMessages: LastMessagesReader,
  ) {}

  async list(me: Me, query: InboxQuery) {
    const context = actingOf(me);
    const [page, counts, choices] = await Promise.all([
      this.tickets.list(context, { ...query, sort: '-updated_at', page: 1, perPage: TICKETS_PER_PAGE }),
      this.tickets.count(context),
      this.choices.read(me.accountId),
    ]);
    const numbers = page.items.map(({ number }) => number);
    const [drafts, lastMessages] = await Promise.all([
      this.writing.drafted(context, numbers),
      this.lastMessages.read(me.accountId, numbers),
    ]);
    const open = null as OpenTicket | null;
    return { query, counts, choices, tickets: page.items, drafts, lastMessages, next: page.next, open };
  }

  async ticket(me: Me, query: InboxQuery, number: number, thread: ThreadQuery): Promise<InboxView> {
    const [list, open] = await Promise.all([this.list(me, query), this.openTickets.read(me, number, thread)]);
    return { ...list, open };
  }
}
