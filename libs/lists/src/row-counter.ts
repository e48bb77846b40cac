import { type AccountConnection, accountQuery } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { Beliefs } from './beliefs.js';
import { COUNTED_ROWS, LOOKED_THROUGH, type Listing, nearest } from './listing.js';

export interface Count {
  readonly total: number;
  /** There may be more. */
  readonly capped: boolean;
}

@Injectable()
export class Counts {
  constructor(private readonly beliefs: Beliefs) {}

  /**
   * One round trip, none where the list is believed to be over the cap: counting up to it is what costs most in a large
   * list. The number that a search finds is believed in any case.
   */
  async of(connection: AccountConnection, listing: Listing): Promise<Count> {
    const { from, conditions, searches } = listing;
    const key = JSON.stringify([
      connection.accountId,
      from,
      conditions.sql(),
      conditions.soughtSql(),
      conditions.values,
    ]);
    const believed = this.beliefs.recall(key) as Count | undefined;
    if (believed) return believed;
    const count = await (conditions.looksThrough ? countNear : countUpToCap)(connection, listing);
    if (count.capped || (searches && count.total > 0)) this.beliefs.remember(key, count);
    return count;
  }
}

async function countUpToCap(connection: AccountConnection, { from, conditions }: Listing): Promise<Count> {
  const query = accountQuery(
    `select count(*)::integer as count from (select 1 from ${from} where ${conditions.sql()} limit ${COUNTED_ROWS + 1}) counted`,
  );
  return within((await connection.row<{ count: number }>(query, conditions.values))!.count);
}

/** As far as the list itself looks in one go; beyond that there may be more. */
async function countNear(connection: AccountConnection, listing: Listing): Promise<Count> {
  const { conditions } = listing;
  const query = accountQuery(
    `select count(*) filter (where ${conditions.soughtSql()})::integer as count, count(*)::integer as looked
     from ${nearest(listing, conditions)}`,
  );
  const { count, looked } = (await connection.row<{ count: number; looked: number }>(query, conditions.values))!;
  const { total, capped } = within(count);
  return { total, capped: capped || looked === LOOKED_THROUGH };
}

const within = (count: number): Count => ({ total: Math.min(count, COUNTED_ROWS), capped: count > COUNTED_ROWS });
