import { type AccountConnection, accountQuery } from '#libs/database';
import {
  type Listing,
  MAX_COUNTED_OF_SEARCH,
  MAX_COUNTED_ROWS,
  MAX_SCANNED_ROWS,
  preludeOf,
  scanWindow,
} from './listing.js';

export type Counted = { readonly total: number; readonly capped: boolean };

export type CappedCount = Counted & { readonly bytes: number };

/** Scans as few rows as the count of a search. */
export async function countSome(connection: AccountConnection, listing: Listing, limit: number): Promise<Counted> {
  const { from, conditions } = listing;
  const looked = conditions.hasFilter
    ? scanWindow(listing, conditions, { rows: MAX_COUNTED_OF_SEARCH })
    : `(select 1 from ${from} where ${conditions.sql()} limit ${limit + 1}) counted`;
  const prelude = conditions.hasFilter ? preludeOf(listing, { rows: MAX_COUNTED_OF_SEARCH }) : '';
  const query = accountQuery(
    `${prelude} select count(*) filter (where ${conditions.filterSql()})::integer as count, count(*)::integer as looked
     from ${looked}`,
  );
  const { count, looked: rows } = (await connection.row<{ count: number; looked: number }>(query, conditions.values))!;
  const isCut = conditions.hasFilter && rows === MAX_COUNTED_OF_SEARCH;
  return { total: Math.min(count, limit), capped: count > limit || isCut };
}

export async function countUpToCap(connection: AccountConnection, listing: Listing): Promise<CappedCount> {
  const { from, conditions, bytes = '0' } = listing;
  const query = accountQuery(
    `select count(*)::integer as count, coalesce(sum(bytes), 0)::float as bytes
     from (select ${bytes} as bytes from ${from} where ${conditions.sql()} limit ${MAX_COUNTED_ROWS + 1}) counted`,
  );
  const counted = (await connection.row<{ count: number; bytes: number }>(query, conditions.values))!;
  return { ...within(counted.count), bytes: counted.bytes };
}

export async function countNear(connection: AccountConnection, listing: Listing): Promise<CappedCount> {
  const { conditions, isFullText } = listing;
  const rows = isFullText ? MAX_COUNTED_OF_SEARCH : MAX_SCANNED_ROWS;
  const query = accountQuery(
    `${preludeOf(listing, { rows })}
     select count(*) filter (where ${conditions.filterSql()})::integer as count, count(*)::integer as looked
     from ${scanWindow(listing, conditions, { rows })}`,
  );
  const { count, looked } = (await connection.row<{ count: number; looked: number }>(query, conditions.values))!;
  const { total, capped } = within(count);
  return { total, capped: capped || looked === rows, bytes: 0 };
}

const within = (count: number): Omit<CappedCount, 'bytes'> => ({
  total: Math.min(count, MAX_COUNTED_ROWS),
  capped: count > MAX_COUNTED_ROWS,
});
