import { Database } from '#libs/database';
import {
  type ListedView,
  type RequestContext,
  SavedViewsService,
  TicketsService,
  ViewCountsService,
} from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import type { Me } from '../sign-in/session.guard.js';
import type { PageContextValue, RailContent, RailViews } from '../ui/page-context.js';
import { actingOf } from './form-submission.js';
import { parseListQuery } from './inbox-query.js';
import { SIDEBAR_COUNTS } from './shell.statements.js';
import { TicketChoicesReader } from './ticket-choices.reader.js';

/** Pages of the inbox load the rail with their list; partial pages do not show it. */
const LOADS_OWN_RAIL = /^\/(inbox|tickets\/(?!(new|bulk)$)|live)/;

export type Beside = Pick<PageContextValue, 'rail' | 'unread' | 'quarantinedMails'>;

/** Views of the account, and views of the agent. The page of all views has the rest. */
const MAX_SHOWN_VIEWS = 10;

@Injectable()
export class RailListsReader {
  constructor(
    private readonly tickets: TicketsService,
    private readonly views: SavedViewsService,
    private readonly counts: ViewCountsService,
  ) {}

  /** Round trips: two in parallel, and those of expired counts, which most pages do not need. */
  async read(context: RequestContext): Promise<Pick<RailContent, 'counts' | 'views'>> {
    const [counts, views] = await Promise.all([this.tickets.count(context), this.countedViews(context)]);
    return { counts, views };
  }

  private async countedViews(context: RequestContext): Promise<RailViews> {
    const all = await this.views.list(context);
    const views = firstOfEach(all);
    const counts = await this.counts.count(
      context,
      views.map(({ query }) => ({ ...parseListQuery(query), sort: undefined })),
    );
    return { shown: views.map((view, index) => ({ ...view, count: counts[index] })), total: all.length };
  }
}

function firstOfEach(views: readonly ListedView[]): ListedView[] {
  const ofAccount = views.filter(({ agentId }) => agentId === null);
  const own = views.filter(({ agentId }) => agentId !== null);
  return [...ofAccount.slice(0, MAX_SHOWN_VIEWS), ...own.slice(0, MAX_SHOWN_VIEWS)];
}

/** Loads the rail for pages outside the inbox, and the counts for every page. */
@Injectable()
export class RailReader {
  constructor(
    private readonly choices: TicketChoicesReader,
    private readonly database: Database,
    private readonly lists: RailListsReader,
  ) {}

  async read(me: Me, path: string): Promise<Beside> {
    const [rail, counts] = await Promise.all([
      LOADS_OWN_RAIL.test(path) ? undefined : this.rail(me),
      this.database.account(me.accountId).row<Omit<Beside, 'rail'>>(SIDEBAR_COUNTS, [me.agentId]),
    ]);
    return { rail, ...counts! };
  }

  private async rail(me: Me): Promise<RailContent> {
    const [lists, { mailboxes, tags }] = await Promise.all([
      this.lists.read(actingOf(me)),
      this.choices.read(me.accountId),
    ]);
    return { ...lists, mailboxes, tags };
  }
}
