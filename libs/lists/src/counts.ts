import { type AccountConnection, accountQuery } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { Beliefs } from './beliefs.js';
import { COUNTED_ROWS, type Listing } from './listing.js';

export interface Count {
  readonly total: number;
  readonly capped: boolean;
}

@Injectable()
export class Counts {
  constructor(private readonly beliefs: Beliefs) {}

  /**
   * One round trip, none where the list is believed to be over the cap: counting up to it is what costs most in a large
   * list. The number that a search finds is believed in any case.
   */
  async of(connection: AccountConnection, { from, conditions, searches }: Listing): Promise<Count> {
    const key = JSON.stringify([connection.accountId, from, conditions.sql(), conditions.values]);
    const counted = this.beliefs.recall(key) ?? (await count(connection, from, conditions));
    if (counted > COUNTED_ROWS || (searches && counted > 0)) this.beliefs.remember(key, counted);
    return { total: Math.min(counted, COUNTED_ROWS), capped: counted > COUNTED_ROWS };
  }
}

async function count(connection: AccountConnection, from: string, conditions: Listing['conditions']): Promise<number> {
  const query = accountQuery(
    `select count(*)::integer as count from (select 1 from ${from} where ${conditions.sql()} limit ${COUNTED_ROWS + 1}) counted`,
  );
  return (await connection.row<{ count: number }>(query, conditions.values))!.count;
}
