import {
  type ListedView,
  type RequestContext,
  SavedViewsService,
  TicketsService,
  ViewCountsService,
} from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { groupQuery, parseListQuery, ticketFilterOf } from '../inbox-query.js';
import type { InboxLists } from './inbox-sidebar.js';

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
  async read(context: RequestContext): Promise<Pick<InboxLists, 'counts' | 'views' | 'groups'>> {
    const [counts, lists] = await Promise.all([this.tickets.count(context), this.countedLists(context)]);
    return { counts, ...lists };
  }

  private async countedLists(context: RequestContext): Promise<Pick<InboxLists, 'views' | 'groups'>> {
    const { views: all, groups } = await this.views.listWithGroups(context);
    const views = firstOfEach(all);
    const queries = [...groups.map(groupQuery), ...views.map(({ query }) => parseListQuery(query))];
    const counts = await this.counts.count(
      context,
      queries.map((query) => ({ ...ticketFilterOf(query), sort: undefined })),
    );
    return {
      groups: groups.map((name, index) => ({ name, count: counts[index] })),
      views: {
        shown: views.map((view, index) => ({ ...view, count: counts[groups.length + index] })),
        total: all.length,
      },
    };
  }
}

function firstOfEach(views: readonly ListedView[]): ListedView[] {
  const ofAccount = views.filter(({ agentId }) => agentId === null);
  const own = views.filter(({ agentId }) => agentId !== null);
  return [...ofAccount.slice(0, MAX_SHOWN_VIEWS), ...own.slice(0, MAX_SHOWN_VIEWS)];
}
