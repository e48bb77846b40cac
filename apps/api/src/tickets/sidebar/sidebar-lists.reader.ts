import {
  type ListedView,
  type RequestContext,
  SavedViewsService,
  TicketsService,
  ViewCountsService,
} from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { parseListQuery } from '../inbox-query.js';
import type { InboxLists, SidebarViews } from './inbox-sidebar.js';

/** Views of the account, and views of the agent. The page of all views has the rest. */
const MAX_SHOWN_VIEWS = 10;

@Injectable()
export class SidebarListsReader {
  constructor(
    private readonly tickets: TicketsService,
    private readonly views: SavedViewsService,
    private readonly counts: ViewCountsService,
  ) {}

  /** Round trips: two in parallel, and those of expired counts, which most pages do not need. */
  async read(context: RequestContext): Promise<Pick<InboxLists, 'counts' | 'views'>> {
    const [counts, views] = await Promise.all([this.tickets.count(context), this.countedViews(context)]);
    return { counts, views };
  }

  private async countedViews(context: RequestContext): Promise<SidebarViews> {
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
