import { Injectable } from '@nestjs/common';
import type { Me } from '../../sign-in/session.guard.js';
import { actingOf } from '../../shell/form-submission.js';
import { TicketChoicesReader } from '../../shell/ticket-choices.reader.js';
import type { InboxQuery } from '../../shell/inbox-query.js';
import { ListPageReader } from './list-page.reader.js';
import { type OpenTicket, type OpenTicketQuery, OpenTicketReader } from './open-ticket.reader.js';
import { RailListsReader } from '../../shell/rail-lists.reader.js';

export type InboxView = Awaited<ReturnType<InboxReader['list']>>;

/** Loads what the inbox shows. */
@Injectable()
export class InboxReader {
  constructor(
    private readonly pages: ListPageReader,
    private readonly choices: TicketChoicesReader,
    private readonly openTickets: OpenTicketReader,
    private readonly lists: RailListsReader,
  ) {}

  /** The ticket whose number was searched for. */
  sought(me: Me, query: InboxQuery): Promise<number | undefined> {
    return this.pages.sought(actingOf(me), query);
  }

  async list(me: Me, query: InboxQuery) {
    const context = actingOf(me);
    const [page, lists, choices] = await Promise.all([
      this.pages.read(context, query),
      this.lists.read(context),
      this.choices.read(me.accountId),
    ]);
    const open = null as OpenTicket | null;
    return { ...page, ...lists, query, choices, open };
  }

  async ticket(me: Me, query: InboxQuery, number: number, thread: OpenTicketQuery): Promise<InboxView> {
    const [list, open] = await Promise.all([this.list(me, query), this.openTickets.read(me, number, thread)]);
    return { ...list, open };
  }
}
