import type { Draft } from '#libs/entities';
import {
  CustomerMailsService,
  DraftsService,
  ScheduledRepliesService,
  type HeldReplyOfAgent,
  type RequestContext,
  type SeenThread,
  TicketsService,
} from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { PresencesService } from '../../live/presences.service.js';
import { type ThreadQuery, ThreadReader } from '../../messages/index.js';
import { actingOf } from '../../shell/form-submission.js';
import type { Me } from '../../sign-in/session.guard.js';
import { WritingPermitsService } from '../composer/save-draft-on-sign-out.filter.js';

interface Writing {
  readonly draft: Draft | null;
  readonly held: readonly HeldReplyOfAgent[];
  readonly permit: string;
}

@Injectable()
export class WritingReader {
  constructor(
    private readonly drafts: DraftsService,
    private readonly permits: WritingPermitsService,
    private readonly heldReplies: ScheduledRepliesService,
  ) {}

  async read(context: RequestContext, number: number): Promise<Writing> {
    const [draft, held] = await Promise.all([
      this.drafts.read(context, number),
      this.heldReplies.list(context, number),
    ]);
    return { draft, held, permit: this.permits.issue(context, number) };
  }
}

export type OpenTicket = Awaited<ReturnType<OpenTicketReader['read']>>;

export interface OpenTicketQuery extends ThreadQuery {
  /** The part of the thread that the page had shown when its reply was held back. */
  readonly heldBack?: SeenThread | undefined;
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
      this.writing.read(context, number),
    ]);
    const mailRoute = this.mails.routeOf(ticket.mailbox);
    return { ticket, thread, otherTickets, presentAgents, mailRoute, heldBack: query.heldBack, ...writing };
  }
}
