import { TicketsService } from '#libs/desk';
import { NotFound } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import type { Me } from '../../sign-in/session.guard.js';
import { actingOf } from '../form-submission.js';
import { TicketChoicesReader } from './ticket-choices.reader.js';
import { type InboxQuery, soughtNumber } from './inbox-query.js';
import { ListPageReader } from './list-page.reader.js';
import { type OpenTicket, OpenTicketReader } from './open-ticket.reader.js';
import type { ThreadQuery } from './thread.reader.js';
import { RailViewsReader } from '../views/rail-views.reader.js';
import { WritingReader } from './writing.reader.js';

export type InboxView = Awaited<ReturnType<InboxReader['list']>>;

/** Loads what the inbox shows. */
@Injectable()
export class InboxReader {
  constructor(
    private readonly tickets: TicketsService,
    private readonly pages: ListPageReader,
    private readonly choices: TicketChoicesReader,
    private readonly openTickets: OpenTicketReader,
    private readonly writing: WritingReader,
    private readonly views: RailViewsReader,
  ) {}

  /** The ticket whose number was searched for. */
  async sought(me: Me, query: InboxQuery): Promise<number | undefined> {
    const number = soughtNumber(query);
    if (number === undefined) return undefined;
    try {
      return (await this.tickets.read(actingOf(me), number)).number;
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }

  async list(me: Me, query: InboxQuery) {
    const context = actingOf(me);
    const [{ numbers, ...page }, counts, choices, views] = await Promise.all([
      this.pages.read(context, query),
      this.tickets.count(context),
      this.choices.read(me.accountId),
      this.views.read(context),
    ]);
    const drafts = await this.writing.drafted(context, numbers);
    const open = null as OpenTicket | null;
    return { ...page, query, counts, choices, views, drafts, open };
  }

  async ticket(me: Me, query: InboxQuery, number: number, thread: ThreadQuery): Promise<InboxView> {
    const [list, open] = await Promise.all([this.list(me, query), this.openTickets.read(me, number, thread)]);
    return { ...list, open };
  }
}
