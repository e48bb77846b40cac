import {
  type AccountConnection,
  type AccountStatement,
  accountQuery,
  accountStatement,
  columns,
  hydrate,
} from '#libs/database';
import type { Conditions } from './conditions.js';
import type { Cursor } from './cursor.js';
import {
  type Direction,
  type Listing,
  MAX_COUNTED_ROWS,
  type Order,
  columnsOf,
  defaultDirection,
  maxScannedRows,
  orderBy,
  scanOf,
  fittingRecords,
  pageStarts,
  rowsOf,
} from './listing.js';

export type Row = Readonly<Record<string, unknown>>;

interface FoundRows {
  readonly rows: Row[];
  /** The row to continue from; undefined at the end of the list. */
  readonly end: Row | undefined;
}

/** Round trips: 1; up to 3 for a scan. */
export async function readRows(
  connection: AccountConnection,
  listing: Listing,
  { perPage, cursor, offset }: { perPage: number; cursor: Cursor | undefined; offset: number },
): Promise<FoundRows> {
  const direction = directionOf(listing, cursor);
  const within = cursor ? placeOf(cursor.keys, listing, direction) : listing.conditions;
  const range = { limit: perPage + 1, offset: cursor ? 0 : offset };
  if (within.scanFilter) return walk(connection, { listing, direction, within, ...range });
  const rowsFrom = rowsOf(listing, within, { rows: range.limit + range.offset, direction });
  const text = `select ${selected(listing)} from ${rowsFrom} ${ordered(listing, { direction, ...range })}`;
  const rows = await connection.rows<Row>(accountQuery(text), within.values);
  return cutTo(perPage, rows) ?? { rows, end: undefined };
}

/** Undefined if all rows fit. */
function cutTo(perPage: number, rows: Row[]): FoundRows | undefined {
  const kept = Math.min(perPage, fittingRecords(rows.map(({ bytes }) => Number(bytes))));
  return kept < rows.length ? { rows: rows.slice(0, kept), end: rows[kept - 1] } : undefined;
}

interface WalkQuery {
  readonly listing: Listing;
  readonly within: Conditions;
  readonly direction: Direction;
  readonly limit: number;
  readonly offset: number;
}

/** Scans as many rows as are likely to fill the page, then the rest. */
async function walk(connection: AccountConnection, query: WalkQuery): Promise<FoundRows> {
  const { listing, direction, limit, offset } = query;
  const likely = likelyRows(query);
  const found = await lookThrough(connection, query, likely);
  const page = cutTo(limit - 1, found);
  if (page) return page;
  const end = await endOfWalk(connection, query, likely);
  const maxRows = maxScannedRows(listing);
  if (!end || likely === maxRows) return { rows: found, end };
  // The number of matches before an offset is unknown, so its scan starts over.
  const within = offset > 0 ? query.within : placeOf(keysOfRow(end, listing.order), listing, direction);
  const before = offset > 0 ? [] : found;
  const rest = { ...query, within, limit: limit - before.length };
  const restRows = offset > 0 ? maxRows : maxRows - likely;
  const rows = [...before, ...(await lookThrough(connection, rest, restRows))];
  return cutTo(limit - 1, rows) ?? { rows, end: await endOfWalk(connection, rest, restRows) };
}

/** Scanning fewer rows is not worth a round trip. */
const MIN_SCANNED_ROWS = 1_000;
/** Matches are not distributed evenly. */
const SPARE_FACTOR = 1.5;

function likelyRows({ listing, within, limit, offset }: WalkQuery): number {
  const { density } = within.scanFilter!;
  return Math.min(
    maxScannedRows(listing),
    Math.max(MIN_SCANNED_ROWS, Math.ceil(((limit + offset) / density) * SPARE_FACTOR)),
  );
}

function lookThrough(connection: AccountConnection, query: WalkQuery, rows: number): Promise<Row[]> {
  const { listing, within, direction } = query;
  const text = `${scanOf(listing, within, { direction, rows })} select ${selected(listing)}
    from scanned ${within.alias} where ${within.scanFilter!.sql} ${ordered(listing, query)}`;
  return connection.rows<Row>(accountQuery(text), within.values);
}

/** The filter is repeated without effect, because PostgreSQL requires each parameter to be used. */
async function endOfWalk(connection: AccountConnection, query: WalkQuery, rows: number): Promise<Row | undefined> {
  const { listing, within, direction } = query;
  const last = { direction, limit: 1, offset: rows - 1 };
  const text = `${scanOf(listing, within, { direction, rows })} select ${keysOf(listing)}
    from scanned ${within.alias} where true or (${within.scanFilter!.sql}) ${ordered(listing, last)}`;
  const [end] = await connection.rows<Row>(accountQuery(text), within.values);
  return end;
}

const OPPOSITE = { asc: 'desc', desc: 'asc' } as const;

function directionOf({ order }: Listing, cursor: Cursor | undefined): Direction {
  const direction = defaultDirection(order);
  return cursor?.direction === 'before' ? OPPOSITE[direction] : direction;
}

function placeOf(keys: readonly string[], { conditions, each, order }: Listing, direction: Direction): Conditions {
  const within = conditions.copy();
  const values = order.keys.map(({ type }, place) => `${within.bind(keys[place])}::${type}`);
  const row = [...(each ? [each.column] : []), ...columnsOf(order)].join(', ');
  const place = [...(each ? ['key'] : []), ...values].join(', ');
  return within.add(`(${row}) ${direction === 'asc' ? '>' : '<'} (${place})`);
}

export const keysOfRow = (row: Row, order: Order): string[] =>
  order.keys.map((_, place) => {
    const key = row[`key${place}`];
    return key instanceof Date ? key.toISOString() : String(key);
  });

const ordered = (
  { order }: Listing,
  { direction, limit, offset }: Pick<WalkQuery, 'direction' | 'limit' | 'offset'>,
): string => `${orderBy(order, direction)} limit ${limit} offset ${offset}`;

const selected = (listing: Listing): string =>
  `${listing.id} as id, ${listing.bytes ?? '0'} as bytes, ${keysOf(listing)}`;

const keysOf = ({ order }: Listing): string =>
  columnsOf(order)
    .map((column, place) => `${column} as key${place}`)
    .join(', ');

/** Loads records without those that they refer to. `name` is that of the statement. */
export function loaderOf<T extends { id: string }>(entity: new () => T, name: string, table: string) {
  const text = `select ${columns(entity, 'x')} from ${table} x where x.account_id = $1 and x.id = any($2)`;
  const statement = accountStatement(name, text);
  return (connection: AccountConnection, ids: readonly string[]): Promise<T[]> =>
    loadInOrder(connection, statement, ids, (row) => hydrate(entity, row, 'x'));
}

export async function loadInOrder<T extends { id: string }>(
  connection: AccountConnection,
  statement: AccountStatement,
  ids: readonly string[],
  read: (row: Record<string, unknown>) => T | null,
  values: readonly unknown[] = [],
): Promise<T[]> {
  if (ids.length === 0) return [];
  const rows = await connection.rows(statement, [ids, ...values]);
  const records = new Map(rows.map((row) => read(row)).map((record) => [record?.id, record]));
  return ids.flatMap((id) => records.get(id) ?? []);
}

export async function readPageStarts(
  connection: AccountConnection,
  listing: Listing,
  perPage: number,
): Promise<number[]> {
  const { from, conditions, order, bytes } = listing;
  const query = accountQuery(
    `select ${bytes} as bytes from ${from} where ${conditions.sql()}
     ${orderBy(order, defaultDirection(order))} limit ${MAX_COUNTED_ROWS}`,
  );
  const sizes = (await connection.rows<{ bytes: number }>(query, conditions.values)).map((row) => row.bytes);
  return pageStarts(sizes, perPage);
}
