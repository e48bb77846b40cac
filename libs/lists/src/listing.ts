import type { Conditions } from './conditions.js';
import type { KeyType } from './cursor.js';

/** Beyond this a list is walked by cursor and its rows are no longer counted: both would cost what the table holds. */
export const MAX_COUNTED_ROWS = 10_000;

/**
 * Where no index leads to what is sought, a page is the outcome of looking through so many rows: it may then be short,
 * or empty, and still have a next one.
 */
export const MAX_SCANNED_ROWS = 50_000;

/** The same for a search, which asks more of each row. */
const MAX_WALKED_OF_SEARCH = 10_000;

/** For the number of what a search finds, which is said after each word that is typed. It is then one that is reached at least. */
export const MAX_COUNTED_OF_SEARCH = 2_000;

export interface PageRequest {
  readonly page: number;
  readonly perPage: number;
  readonly cursor: string | undefined;
  /** Where nobody is told how many there are. Then only the first page has a number, and a cursor leads to others. */
  readonly uncounted?: boolean;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly totalPages: number;
  readonly capped: boolean;
  /** Cursors; null where there is no such page. */
  readonly next: string | null;
  readonly previous: string | null;
}

/** A list that is so short that it is one page. */
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

/** All in one direction, the last one unique: then a row's place is a comparison and every page a range of an index. */
export interface Order {
  readonly name: string;
  readonly descending: boolean;
  readonly keys: readonly { readonly column: string; readonly type: KeyType }[];
}

export interface Listing {
  readonly from: string;
  readonly id: string;
  readonly conditions: Conditions;
  readonly order: Order;
  /** Full text: what it finds is dear to count. */
  readonly isFullText?: boolean;
  /**
   * SQL for the size of a record, where a page of the largest would be too large: the page then has fewer records. For
   * a list without filters only.
   */
  readonly bytes?: string;
  /** Where rows are looked through: SQL that stands before the statement, for what its filter asks of many rows at once. */
  readonly prelude?: (walk: Walk) => string;
  /** Of the rows that are looked through, so large a part is likely to be found. */
  readonly density?: number;
  /** What a count is remembered by, where the conditions name more than what was asked for. */
  readonly countedAs?: string;
}

/** Rows that are looked through in one go. */
export interface Walk {
  readonly rows: number;
  readonly order: Order;
  readonly direction: Direction;
  /** The value of the first column of the order behind which it begins, as SQL; nothing at the beginning of the list. */
  readonly from: string | undefined;
}

export const columnsOf = (order: Order): readonly string[] => order.keys.map(({ column }) => column);

export type Direction = 'asc' | 'desc';

export const orderBy = (order: Order, direction: Direction): string =>
  `order by ${columnsOf(order)
    .map((column) => `${column} ${direction}`)
    .join(', ')}`;

/** What stands before a statement that looks through rows. */
export const preludeOf = (
  { order, prelude }: Listing,
  { rows, direction = defaultDirection(order), from }: Partial<Walk> & Pick<Walk, 'rows'>,
): string => prelude?.({ rows, order, direction, from }) ?? '';

/** How far a page looks at most. */
export const mostWalked = ({ isFullText = false }: Pick<Listing, 'isFullText'>): number =>
  isFullText ? MAX_WALKED_OF_SEARCH : MAX_SCANNED_ROWS;

/** As many rows as are looked through in one go, under their own alias. */
export function scanWindow(
  { from, order }: Listing,
  within: Conditions,
  { direction = defaultDirection(order), rows = MAX_SCANNED_ROWS } = {},
): string {
  return `(select * from ${from} where ${within.sql()} ${orderBy(order, direction)} limit ${rows}) ${within.alias}`;
}

export const defaultDirection = (order: Order): Direction => (order.descending ? 'desc' : 'asc');
