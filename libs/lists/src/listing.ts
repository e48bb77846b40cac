import { MAX_UUID, NIL_UUID } from '#libs/database';
import type { Conditions } from './conditions.js';
import type { KeyType } from './cursor.js';

/** Counting and offsets take time for each row. Cursors go further. */
export const MAX_COUNTED_ROWS = 10_000;

/** Rows scanned for one page if no index serves the filter. Such a page can be empty and still have a next one. */
export const MAX_SCANNED_ROWS = 50_000;

/** A search evaluates more for each row. */
const MAX_SCANNED_OF_SEARCH = 10_000;

/** Small, because the count is shown after each typed word. */
export const MAX_COUNTED_OF_SEARCH = 2_000;

/** All keys sort in one direction and the last is unique, so every page is a range of an index. */
export interface Order {
  readonly name: string;
  readonly descending: boolean;
  readonly keys: readonly { readonly column: string; readonly type: KeyType }[];
}

/** By a time, then by the id, which is unique. */
export const byTime = (table: string, column: string): Order['keys'] => [
  { column: `${table}.${column}`, type: 'timestamptz' },
  { column: `${table}.id`, type: 'uuid' },
];

export interface Listing {
  readonly from: string;
  /** Conditions that split the rows: an index has those of each condition in order. */
  readonly parts?: readonly string[];
  /** Reads the first rows of each of `count` keys by the index on `column` and the id. `keys` is an SQL array. */
  readonly each?: { readonly column: string; readonly keys: string; readonly count: number };
  /** The same rows in any order, if they are cheaper to read. Counts read them. */
  readonly unordered?: string;
  readonly id: string;
  readonly conditions: Conditions;
  readonly order: Order;
  readonly isFullText?: boolean;
  /** SQL for the size of a record, which limits pages. Only for lists without filters. */
  readonly bytes?: string;
  readonly countedAs?: string;
}

export const columnsOf = (order: Order): readonly string[] => order.keys.map(({ column }) => column);

export type Direction = 'asc' | 'desc';

export const orderBy = (order: Order, direction: Direction): string =>
  `order by ${columnsOf(order)
    .map((column) => `${column} ${direction}`)
    .join(', ')}`;

/** With `each`, `rowsOf` reads as many rows of as many keys. PostgreSQL reads fewer rows in order than it would sort. */
export function maxScannedRows({ isFullText = false, each }: Pick<Listing, 'isFullText' | 'each'>): number {
  if (each) return Math.ceil(Math.max(MAX_SCANNED_OF_SEARCH / Math.max(1, each.count), MAX_SCANNED_OF_SEARCH ** 0.5));
  return isFullText ? MAX_SCANNED_OF_SEARCH : MAX_SCANNED_ROWS;
}

type FirstRows = { readonly rows: number; readonly direction?: Direction };

/** Names the scanned rows, and the table that their filter uses. PostgreSQL keeps the rows only if both are read. */
export function scanOf(listing: Listing, within: Conditions, first: FirstRows): string {
  const table = within.scanFilter?.table;
  const ordered = orderBy(listing.order, first.direction ?? defaultDirection(listing.order));
  return `with scanned as (
      select * from ${rowsOf(listing, within, first)} ${ordered} limit ${first.rows}
    )${table === undefined ? '' : `, ${table}`}`;
}

/** The limit of each part keeps PostgreSQL from reading and sorting all of it. */
export function rowsOf(
  { from, parts, each, order }: Listing,
  within: Conditions,
  { rows, direction = defaultDirection(order) }: FirstRows,
): string {
  const ordered = orderBy(order, direction);
  const firstOf = (part: string, limit: number, inOrder = ordered) =>
    `(select * from ${from} where ${within.sql()} and ${part} ${inOrder} limit ${limit}) ${within.alias}`;
  if (each) {
    const row = columnsOf(order).join();
    // Unlike with `column = key`, only one index has the rows in this order.
    const part = `(${each.column}, ${row}) between (key, '${NIL_UUID}') and (key, '${MAX_UUID}')`;
    const inOrder = ordered.replace('order by', `order by ${each.column} ${direction},`);
    const ofKey = (limit: number) => `cross join lateral ${firstOf(part, limit, inOrder)}`;
    // Ten rows have at most ten keys: those whose first rows come first.
    return `(select key from unnest(${each.keys}) as key ${ofKey(1)} ${ordered} limit ${rows}) keys ${ofKey(rows)}`;
  }
  if (!parts) return `${from} where ${within.sql()}`;
  const selects = parts.map((part) => `select * from ${firstOf(part, rows)}`);
  return `(${selects.join(' union all ')}) ${within.alias}`;
}

export const defaultDirection = (order: Order): Direction => (order.descending ? 'desc' : 'asc');

export interface PageRequest {
  readonly page: number;
  readonly perPage: number;
  readonly cursor: string | undefined;
  /** Without a count, only the first page has a number. */
  readonly uncounted?: boolean;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly totalPages: number;
  readonly capped: boolean;
  readonly next: string | null;
  readonly previous: string | null;
}

/** A part of a feed. The next request continues at the cursor. */
export interface FeedPage<T> {
  readonly items: readonly T[];
  readonly perPage: number;
  readonly cursor: string;
  readonly hasMore: boolean;
  /** Identifies the newest item of the feed: the fingerprint of its topic. */
  readonly latest: string;
}

export const wholePage = <T>(items: readonly T[]): Page<T> => ({
  items,
  page: 1,
  perPage: 25,
  total: items.length,
  totalPages: Math.ceil(items.length / 25),
  capped: false,
  next: null,
  previous: null,
});

/** Fifty of the largest messages would be 50 MB, held in memory several times. */
export const MAX_PAGE_BYTES = 2 * 1024 * 1024;

/** How many of the first records fit on a page. At least one, however large it is. */
export function fittingRecords(sizes: readonly number[]): number {
  let bytes = 0;
  const tooMuch = sizes.findIndex((size, index) => (bytes += size) > MAX_PAGE_BYTES && index > 0);
  return tooMuch === -1 ? sizes.length : tooMuch;
}

export function pageStarts(sizes: readonly number[], perPage: number): number[] {
  const starts: number[] = [];
  for (let start = 0; start < sizes.length; start += fittingRecords(sizes.slice(start, start + perPage)))
    starts.push(start);
  return starts;
}
