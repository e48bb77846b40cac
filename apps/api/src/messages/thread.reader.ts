import { Clock, Database, later } from '#libs/database';
import { type Activity, Customer, type Message, type Ticket } from '#libs/entities';
import { MessagesService, type RequestContext, ShownBodiesService } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { UNDOABLE_MS } from '../tickets/index.js';
import { MAX_SHOWN_CHARACTERS } from './message-body.js';
import { LIST_TICKET_ACTIVITIES, MARK_READ } from './messages.statements.js';

const MESSAGES_PER_PAGE = 20;

export interface ActivityWithActor extends Pick<Activity, 'id' | 'kind' | 'subject' | 'detail' | 'createdAt'> {
  readonly actor: string | null;
  /** Set for a merge that the reader can undo. */
  readonly undo: string | null;
}

export interface ThreadQuery {
  readonly before: string | undefined;
  readonly images: boolean;
  /** The path without `before` and `images`. */
  readonly path: string;
  /** The text in the composer, if its preview is shown. */
  readonly previewOf?: string | undefined;
}

export type Thread = Awaited<ReturnType<ThreadReader['read']>>;

@Injectable()
export class ThreadReader {
  constructor(
    private readonly messages: MessagesService,
    private readonly database: Database,
    private readonly bodies: ShownBodiesService,
    private readonly clock: Clock,
  ) {}

  async read(context: RequestContext, ticket: Ticket, { before, images, path, previewOf }: ThreadQuery) {
    const undoableSince = later(this.clock.now(), -UNDOABLE_MS);
    const listed = [ticket.id, context.agentId, undoableSince, ticket.number];
    const request = { page: 1, perPage: MESSAGES_PER_PAGE, cursor: before, uncounted: true };
    const [page, activities] = await Promise.all([
      this.messages.listOf(context, ticket, request, 'newest first'),
      this.database.account(context.accountId).rows<ActivityWithActor>(LIST_TICKET_ACTIVITIES, listed),
    ]);
    // Messages of a deleted ticket have no page with their full text.
    const characters = ticket.deletedAt === null ? MAX_SHOWN_CHARACTERS : undefined;
    const messages = page.items.toReversed();
    return {
      messages,
      lastCustomer: before === undefined ? lastCustomerIn(messages) : null,
      firstUnread: before === undefined ? await this.markRead(context, ticket, messages) : null,
      bodies: await this.bodies.read(context, page.items, { characters }),
      preview: previewOf === undefined ? null : await this.bodies.preview(context, previewOf),
      activities,
      earlierHref: page.next && withParameter(path, 'before', page.next),
      images,
      deleted: ticket.deletedAt !== null,
      imagesHref: withParameter(path, 'images', '1'),
    };
  }

  /**
   * Marks the messages as read and returns the first unread one. At the first visit, messages up to the last reply count as
   * read.
   */
  private async markRead(
    context: RequestContext,
    ticket: Ticket,
    messages: readonly Message[],
  ): Promise<string | null> {
    const newest = messages.at(-1);
    if (!newest) return null;
    const values = [context.agentId, ticket.id, newest.id];
    const before = await this.database.account(context.accountId).row<{ messageId: string }>(MARK_READ, values);
    const lastReply = messages.findLast(({ authorAgentId, note }) => authorAgentId !== null && !note);
    const after = before?.messageId ?? lastReply?.id ?? '';
    return messages.find(({ id, authorAgentId }) => id > after && authorAgentId !== context.agentId)?.id ?? null;
  }
}

function lastCustomerIn(messages: readonly Message[]): Customer | null {
  const authors = messages.map(({ author }) => author);
  return authors.findLast((author) => author instanceof Customer) ?? null;
}

const withParameter = (path: string, name: string, value: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;
