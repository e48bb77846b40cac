import type { Page, PageRequest } from '#libs/lists';
import type { ListedTicket, TicketQuery } from '#libs/tickets';

/** Actions on this many tickets take a few seconds. */
export const MAX_TICKETS_AT_ONCE = 500;
const TICKETS_PER_PAGE = 100;

export interface FoundTickets {
  /** In the order of the list. */
  readonly numbers: readonly number[];
  /** The search finds more tickets than these. */
  readonly capped: boolean;
}

export async function findTickets(
  list: (query: TicketQuery) => Promise<Page<ListedTicket>>,
  query: Omit<TicketQuery, keyof PageRequest>,
): Promise<FoundTickets> {
  const numbers: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ ...query, page: 1, perPage: TICKETS_PER_PAGE, cursor });
    numbers.push(...page.items.map(({ number }) => number));
    cursor = page.next ?? undefined;
  } while (cursor !== undefined && numbers.length < MAX_TICKETS_AT_ONCE);
  return { numbers: numbers.slice(0, MAX_TICKETS_AT_ONCE), capped: cursor !== undefined };
}
