import {
  type KeptView,
  type RequestContext,
  SavedViewsService,
  TicketsService,
  ViewCountsService,
} from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import type { RailContent, RailViews } from '../ui/page-context.js';
import { parseListQuery } from './inbox-query.js';

/** Of the account’s and of one’s own. The others are on the page of all views. */
const MAX_SHOWN = 10;

/** Loads the lists of the rail, which are folders and views, with how many tickets each has. */
@Injectable()
export class RailListsReader {
  constructor(
    private readonly tickets: TicketsService,
    private readonly views: SavedViewsService,
    private readonly counts: ViewCountsService,
  ) {}

  /** Two round trips side by side, and those of the counts that are old: none for most pages. */
  async read(context: RequestContext): Promise<Pick<RailContent, 'counts' | 'views'>> {
    const [counts, views] = await Promise.all([this.tickets.count(context), this.countedViews(context)]);
    return { counts, views };
  }

  private async countedViews(context: RequestContext): Promise<RailViews> {
    const all = await this.views.list(context);
    const views = firstOfEach(all);
    const counts = await this.counts.count(
      context,
      // The order does not change how many there are.
      views.map(({ query }) => ({ ...parseListQuery(query), sort: undefined })),
    );
    return { shown: views.map((view, index) => ({ ...view, count: counts[index] })), total: all.length };
  }
}

function firstOfEach(views: readonly KeptView[]): KeptView[] {
  const ofAccount = views.filter(({ agentId }) => agentId === null);
  const own = views.filter(({ agentId }) => agentId !== null);
  return [...ofAccount.slice(0, MAX_SHOWN), ...own.slice(0, MAX_SHOWN)];
}
