import { Database, accountStatement, filter, rangeOf } from '#libs/database';
import { type Activity, Customer, type Message, type Ticket } from '#libs/entities';
import { MessagesService, type RequestContext, ShownBodiesService } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { MAX_SHOWN_CHARACTERS } from './message-body.js';
import { ReadMarksService } from './read-marks.service.js';

const MESSAGES_PER_PAGE = 20;

/** The activities to show between messages. Those that are messages themselves are left out. */
const LIST_TICKET_ACTIVITIES = accountStatement(
  'console_activities_of_ticket',
  `select x.id, x.kind, x.subject, x.detail, x.created_at as "createdAt",
     nullif(trim(concat(a.first_name, ' ', a.last_name)), '') || coalesce(' (' || p.name || ')', '') as actor
   from activities x left join agents a on a.id = x.agent_id left join applications p on p.id = x.application_id
   where ${filter('x.account_id = $1')} and ${rangeOf('x.ticket_id', '$2')}
     and x.kind not in ('customer_replied', 'agent_replied', 'note_added', 'ticket_started')
   order by x.ticket_id desc, x.id desc limit 100`,
);

/** An activity with the name of its author. */
export interface ActivityWithActor extends Pick<Activity, 'id' | 'kind' | 'subject' | 'detail' | 'createdAt'> {
  readonly actor: string | null;
}

/** Which part of the thread to read. */
export interface ThreadQuery {
  readonly before: string | undefined;
  readonly images: boolean;
  /** The address of this page without the two. */
  readonly path: string;
}

export type Thread = Awaited<ReturnType<ThreadReader['read']>>;

@Injectable()
export class ThreadReader {
  constructor(
    private readonly messages: MessagesService,
    private readonly database: Database,
    private readonly bodies: ShownBodiesService,
    private readonly marks: ReadMarksService,
  ) {}

  /** Reads the latest messages, or those before a cursor. */
  async read(context: RequestContext, ticket: Ticket, { before, images, path }: ThreadQuery) {
    const request = { page: 1, perPage: MESSAGES_PER_PAGE, cursor: before, uncounted: true };
    const [page, activities] = await Promise.all([
      this.messages.listOf(context, ticket, request, 'newest first'),
      this.database.account(context.accountId).rows<ActivityWithActor>(LIST_TICKET_ACTIVITIES, [ticket.id]),
    ]);
    /** A message of a deleted ticket has no page of its own, so it is shown whole here. */
    const characters = ticket.deletedAt === null ? MAX_SHOWN_CHARACTERS : undefined;
    /** Oldest first, one page of them. Earlier ones are on the page before. */
    const messages = page.items.toReversed();
    return {
      messages,
      lastCustomer: before === undefined ? lastCustomerIn(messages) : null,
      firstUnread: before === undefined ? await this.marks.read(context, ticket, messages) : null,
      bodies: await this.bodies.read(context, page.items, { characters }),
      activities,
      earlierHref: page.next && withParameter(path, 'before', page.next),
      images,
      /** Files of a deleted ticket have no links until it is restored. */
      deleted: ticket.deletedAt !== null,
      imagesHref: withParameter(path, 'images', '1'),
    };
  }
}

function lastCustomerIn(messages: readonly Message[]): Customer | null {
  const authors = messages.map(({ author }) => author);
  return authors.findLast((author) => author instanceof Customer) ?? null;
}

const withParameter = (path: string, name: string, value: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;
