import { type RequestContext, MessagesService } from '#libs/desk';
import type { Ticket } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { ActivityReader } from './activity.reader.js';
import type { Thread } from './conversation.js';

const MESSAGES_PER_PAGE = 20;

/** Which part of the thread to read. */
export interface ThreadQuery {
  readonly before: string | undefined;
  readonly images: boolean;
  /** The address of this page without the two. */
  readonly path: string;
}

@Injectable()
export class ThreadReader {
  constructor(
    private readonly messages: MessagesService,
    private readonly activities: ActivityReader,
  ) {}

  /** Reads the latest messages, or those before a cursor. */
  async read(context: RequestContext, ticket: Ticket, { before, images, path }: ThreadQuery): Promise<Thread> {
    const request = { page: 1, perPage: MESSAGES_PER_PAGE, cursor: before };
    const [page, activities] = await Promise.all([
      this.messages.list(context, ticket.number, request, 'newest first'),
      this.activities.ofTicket(context.accountId, ticket.id),
    ]);
    return {
      messages: page.items.toReversed(),
      activities,
      earlierHref: page.next && withParameter(path, 'before', page.next),
      images,
      deleted: ticket.deletedAt !== null,
      imagesHref: withParameter(path, 'images', '1'),
    };
  }
}

const withParameter = (path: string, name: string, value: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;
