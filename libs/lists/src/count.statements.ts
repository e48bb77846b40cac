import { type AccountConnection, accountQuery } from '#libs/database';
import { type Listing, MAX_COUNTED_OF_SEARCH, MAX_COUNTED_ROWS, maxScannedRows, scanOf } from './listing.js';

export type Counted = { readonly total: number; readonly capped: boolean };

export type CappedCount = Counted & { readonly bytes: number };

/** Scans as few rows as the count of a search. */
export async function countSome(connection: AccountConnection, listing: Listing, limit: number): Promise<Counted> {
  const { conditions } = listing;
  if (conditions.scanFilter) {
    const { total, capped } = await countScanned(connection, listing, MAX_COUNTED_OF_SEARCH);
    return { total: Math.min(total, limit), capped: capped || total > limit };
  }
  const query = accountQuery(
    `select count(*)::integer as count from (select 1 from ${listing.unordered ?? listing.from} where ${conditions.sql()} limit ${limit + 1}) counted`,
  );
  const { count } = (await connection.row<{ count: number }>(query, conditions.values))!;
  return { total: Math.min(count, limit), capped: count > limit };
}

export async function countUpToCap(connection: AccountConnection, listing: Listing): Promise<CappedCount> {
  const { from, unordered = from, each, conditions, bytes = '0', isFullText } = listing;
  if (conditions.scanFilter)
    return countScanned(connection, listing, isFullText ? MAX_COUNTED_OF_SEARCH : maxScannedRows(listing));
  const rows = MAX_COUNTED_ROWS + 1;
  const where = `where ${conditions.sql()}`;
  const counted = each
    ? `unnest(${each.keys}) as key cross join lateral (select * from ${from} ${where} and ${each.column} = key limit ${rows}) found`
    : `${unordered} ${where}`;
  const query = accountQuery(
    `select count(*)::integer as count, coalesce(sum(bytes), 0)::float as bytes
     from (select ${bytes} as bytes from ${counted} limit ${rows}) counted`,
  );
  const found = (await connection.row<{ count: number; bytes: number }>(query, conditions.values))!;
  return { ...within(found.count), bytes: found.bytes };
}

async function countScanned(connection: AccountConnection, listing: Listing, rows: number): Promise<CappedCount> {
  const { conditions } = listing;
  const query = accountQuery(
    `${scanOf(listing, conditions, { rows })}
     select count(*) filter (where ${conditions.scanFilter!.sql})::integer as count, count(*)::integer as looked
     from scanned ${conditions.alias}`,
  );
  const { count, looked } = (await connection.row<{ count: number; looked: number }>(query, conditions.values))!;
  const { total, capped } = within(count);
  return { total, capped: capped || looked === rows, bytes: 0 };
}

const within = (count: number): Omit<CappedCount, 'bytes'> => ({
  total: Math.min(count, MAX_COUNTED_ROWS),
  capped: count > MAX_COUNTED_ROWS,
});
