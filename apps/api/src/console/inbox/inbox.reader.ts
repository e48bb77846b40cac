import { type Acting, TicketsService } from '#libs/desk';
import type { Ticket } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import type { Me } from '../../sign-in/session.guard.js';
import { actingOf } from '../forms.js';
import { Presences } from '../live/presences.js';
import { ChoicesReader } from './choices.js';
import type { InboxQuery } from './inbox-query.js';
import type { InboxView, OpenTicket } from './inbox.view.js';
import { type ThreadQuery, ThreadReader } from './thread.reader.js';

const ROWS = 25;
const OTHERS = 6;

/** Gathers what the inbox shows. */
@Injectable()
export class InboxReader {
  constructor(
    private readonly tickets: TicketsService,
    private readonly choices: ChoicesReader,
    private readonly threads: ThreadReader,
    private readonly presences: Presences,
  ) {}

  async list(me: Me, query: InboxQuery): Promise<InboxView> {
    const acting = actingOf(me);
    const [page, counts, choices] = await Promise.all([
      this.page(acting, query),
      this.tickets.count(acting),
      this.choices.of(me.accountId),
    ]);
    return { query, counts, choices, tickets: page.items, next: page.next, open: null };
  }

  async ticket(me: Me, query: InboxQuery, number: number, thread: ThreadQuery): Promise<InboxView> {
    const [list, open] = await Promise.all([this.list(me, query), this.open(me, number, thread)]);
    return { ...list, open };
  }

  private page(acting: Acting, query: InboxQuery) {
    const { folder, mailbox, tag, priority, assignee, q, cursor } = query;
    return this.tickets.list(acting, {
      folder,
      mailbox: mailbox ?? undefined,
      tag: tag ?? undefined,
      priority: priority ?? undefined,
      assignee: assignee ?? undefined,
      q: q ?? undefined,
      cursor: cursor ?? undefined,
      sort: '-updated_at',
      page: 1,
      perPage: ROWS,
    });
  }

  private async open(me: Me, number: number, query: ThreadQuery): Promise<OpenTicket> {
    const acting = actingOf(me);
    const ticket = await this.tickets.read(acting, number);
    const [thread, others, present] = await Promise.all([
      this.threads.read(acting, ticket, query),
      this.others(acting, ticket),
      this.presences.others({ ...me, ticket: number }),
    ]);
    return { ticket, thread, others, present };
  }

  private async others(acting: Acting, { customer, number }: Ticket): Promise<Ticket[]> {
    const query = { customer: customer.id, sort: '-created_at', page: 1, perPage: OTHERS, cursor: undefined } as const;
    return (await this.tickets.list(acting, query)).items.filter((ticket) => ticket.number !== number);
  }
}
