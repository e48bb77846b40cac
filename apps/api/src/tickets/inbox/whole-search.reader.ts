import { TicketsService } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import type { Me } from '../../sign-in/session.guard.js';
import { actingOf } from '../../shell/form-submission.js';
import { type InboxQuery, sortOf } from '../../shell/inbox-query.js';

/** An action on so many takes a few seconds. */
export const MAX_TICKETS_AT_ONCE = 500;
const TICKETS_PER_PAGE = 100;

export interface WholeSearch {
  /** In the order of the list. */
  readonly numbers: readonly number[];
  /** The search has more than these. */
  readonly capped: boolean;
}

/** All tickets of a search, whatever page of it somebody looks at. */
@Injectable()
export class WholeSearchReader {
  constructor(private readonly tickets: TicketsService) {}

  async read(me: Me, query: InboxQuery): Promise<WholeSearch> {
    const numbers: number[] = [];
    let cursor: string | undefined;
    do {
      const request = { ...query, sort: sortOf(query), page: 1, perPage: TICKETS_PER_PAGE, cursor };
      const page = await this.tickets.list(actingOf(me), request);
      numbers.push(...page.items.map(({ number }) => number));
      cursor = page.next ?? undefined;
    } while (cursor !== undefined && numbers.length < MAX_TICKETS_AT_ONCE);
    return { numbers: numbers.slice(0, MAX_TICKETS_AT_ONCE), capped: cursor !== undefined };
  }
}
