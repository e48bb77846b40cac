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

  /** Round trips: two in parallel, and those of changed groups and of expired counts, which most pages do not need. */
  async read(context: RequestContext): Promise<Pick<InboxLists, 'counts' | 'views' | 'groups'>> {
    const [counts, lists] = await Promise.all([this.tickets.count(context), this.countedLists(context)]);
    return { counts, ...lists };
  }

  private async countedLists(context: RequestContext): Promise<Pick<InboxLists, 'views' | 'groups'>> {
    const { views, groups, settledChange } = await this.views.list(context);
    const [shown, listed] = [firstOfEach(views), groups.map(groupView)];
    const [ofViews, ofGroups] = await Promise.all([
      this.counts.count(context, shown.map(filterOf)),
      this.counts.countGroups(context, listed.map(filterOf), settledChange),
    ]);
    return {
      groups: listed.map((group, index) => ({ ...group, count: ofGroups[index] })),
      views: { shown: shown.map((view, index) => ({ ...view, count: ofViews[index] })), total: views.length },
    };
  }
}

const filterOf = ({ query }: ListedView) => ({ ...parseListQuery(query), sort: undefined });

const groupView = (name: string): ListedView => ({ id: '', name, agentId: null, query: groupQuery(name) });

function firstOfEach(views: readonly ListedView[]): ListedView[] {
  const ofAccount = views.filter(({ agentId }) => agentId === null);
  const own = views.filter(({ agentId }) => agentId !== null);
  return [...ofAccount.slice(0, MAX_SHOWN_VIEWS), ...own.slice(0, MAX_SHOWN_VIEWS)];
}
