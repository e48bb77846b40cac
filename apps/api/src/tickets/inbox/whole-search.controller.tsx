import { Controller, Get, Query } from '@nestjs/common';
import type { PageContent } from '../../ui/page-response.js';
import { Me } from '../../sign-in/session.guard.js';
import { ConsolePages } from '../../shell/console-pages.decorator.js';
import { parseInboxQuery } from '../../shell/inbox-query.js';
import { TicketChoicesReader } from '../../shell/ticket-choices.reader.js';
import { WholeSearchPage } from './whole-search.page.js';
import { WholeSearchReader } from './whole-search.reader.js';

/** Says how many tickets a search has, before something is done to all of them. */
@Controller('tickets/bulk')
@ConsolePages()
export class WholeSearchController {
  constructor(
    private readonly searches: WholeSearchReader,
    private readonly choices: TicketChoicesReader,
  ) {}

  @Get()
  async show(@Me() me: Me, @Query() parameters: Readonly<Record<string, unknown>>): Promise<PageContent> {
    const query = { ...parseInboxQuery(parameters), cursor: undefined };
    const [found, choices] = await Promise.all([this.searches.read(me, query), this.choices.read(me.accountId)]);
    return { view: <WholeSearchPage query={query} found={found} choices={choices} /> };
  }
}
