import {
  type ListedView,
  type RequestContext,
  SavedViewsService,
  TicketsService,
  ViewCountsService,
} from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { groupQuery, parseListQuery } from '../inbox-query.js';
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
    const { views, groups } = await this.views.list(context);
    const lists = [...groups.map(groupView), ...firstOfEach(views)];
    const counts = await this.counts.count(
      context,
      lists.map(({ query }) => ({ ...parseListQuery(query), sort: undefined })),
    );
    const counted = lists.map((list, index) => ({ ...list, count: counts[index] }));
    return {
      groups: counted.slice(0, groups.length),
      views: { shown: counted.slice(groups.length), total: views.length },
    };
  }
}

const groupView = (name: string): ListedView => ({ id: '', name, agentId: null, query: groupQuery(name) });

function firstOfEach(views: readonly ListedView[]): ListedView[] {
  const ofAccount = views.filter(({ agentId }) => agentId === null);
  const own = views.filter(({ agentId }) => agentId !== null);
  return [...ofAccount.slice(0, MAX_SHOWN_VIEWS), ...own.slice(0, MAX_SHOWN_VIEWS)];
}
