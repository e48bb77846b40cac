import { type AccountConnection, type AccountScope, Database } from '#libs/database';
import { InvalidField } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { type CappedCount, type Counted, countSome, countUpToCap } from './count.statements.js';
import { type Cursor, decodeCursor, encodeCursor } from './cursor.js';
import { type Listing, type Order, type Page, type PageRequest } from './listing.js';
import { MAX_COUNTED_ROWS, MAX_PAGE_BYTES, maxScannedRows } from './listing.js';
import { CountCache } from './count-cache.js';
import { type Row, keysOfRow, readPageStarts, readRows } from './rows.statements.js';

type Load<T> = (connection: AccountConnection, ids: readonly string[]) => Promise<T[]>;

const UNCOUNTED: CappedCount = { total: 0, capped: true, bytes: 0 };

@Injectable()
export class ListsService {
  constructor(
    private readonly database: Database,
    private readonly counts: CountCache,
  ) {}

  /** Round trips: 3; 2 without a count; 4 if the records exceed the bytes of a page. */
  async page<T>(within: AccountScope, listing: Listing, request: PageRequest, load: Load<T>): Promise<Page<T>> {
    const account = this.database.account(within.accountId);
    const page = await this.find(account, listing, request);
    return { ...page, items: await load(account, page.items) };
  }

  countSome(within: AccountScope, listing: Listing, limit: number): Promise<Counted> {
    return countSome(this.database.account(within.accountId), listing, limit);
  }

  private async find(account: AccountConnection, listing: Listing, request: PageRequest): Promise<Page<string>> {
    const cursor = cursorOf(request, listing);
    const { total, capped, bytes } = request.uncounted ? UNCOUNTED : await this.count(account, listing);
    const { page, perPage } = request;
    const starts = bytes > MAX_PAGE_BYTES ? await readPageStarts(account, listing, perPage) : undefined;
    const offset = starts ? (starts[page - 1] ?? total) : (page - 1) * perPage;
    const { rows, end } = await readRows(account, listing, { perPage, cursor, offset });
    const backwards = cursor?.direction === 'before';
    if (backwards) rows.reverse();
    /** A scan can find more than its count, which stops earlier. */
    const seen = Math.max(total, rows.length);
    return {
      items: rows.map((row) => String(row['id'])),
      page,
      perPage,
      total: seen,
      totalPages: starts?.length ?? Math.ceil(seen / perPage),
      capped,
      next: cursorAt('after', backwards ? rows.at(-1) : end, listing.order),
      previous: page > 1 ? cursorAt('before', backwards ? end : rows[0], listing.order) : null,
    };
  }

  /** Caches counts above the cap, which are the most expensive, and all counts of searches. */
  private async count(account: AccountConnection, listing: Listing): Promise<CappedCount> {
    const { from, unordered = from, conditions, isFullText, countedAs } = listing;
    const query = countedAs ?? [conditions.sql(), conditions.scanFilter?.sql, conditions.values];
    const key = JSON.stringify([account.accountId, 'rows', unordered, query]);
    const cached = this.counts.get(key) as CappedCount | undefined;
    if (cached) return cached;
    const count = await countUpToCap(account, listing);
    if (count.capped || (isFullText && count.total > 0)) this.counts.set(key, count);
    return count;
  }
}

function cursorOf({ page, perPage, cursor }: PageRequest, listing: Listing): Cursor | undefined {
  const types = listing.order.keys.map(({ type }) => type);
  if (cursor !== undefined) return decodeCursor(cursor, listing.order.name, types);
  if (page * perPage > Math.min(MAX_COUNTED_ROWS, maxScannedRows(listing)))
    throw new InvalidField('page', 'page_too_far', `page ${page} is too far; follow next_page to reach it`);
  return undefined;
}

function cursorAt(direction: Cursor['direction'], row: Row | undefined, order: Order): string | null {
  if (!row) return null;
  return encodeCursor({ direction, sort: order.name, keys: keysOfRow(row, order) });
}
