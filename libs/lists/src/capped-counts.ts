import { type AccountConnection, Clock, accountQuery } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { COUNTED_ROWS, type Listing } from './listing.js';

/** A list that had more rows than are counted is taken to have them still, for so long. */
const BELIEVED_MS = 60_000;
const MOST_BELIEVED = 10_000;

@Injectable()
export class CappedCounts {
  private readonly overUntil = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** One round trip, none where the list is believed to be over the cap: counting up to it is what costs most in a large list. */
  async of(connection: AccountConnection, { from, conditions }: Listing): Promise<{ total: number; capped: boolean }> {
    const key = JSON.stringify([connection.accountId, from, conditions.sql(), conditions.values]);
    const now = this.clock.now().getTime();
    if ((this.overUntil.get(key) ?? 0) > now) return { total: COUNTED_ROWS, capped: true };
    const query = accountQuery(
      `select count(*)::integer as count from (select 1 from ${from} where ${conditions.sql()} limit ${COUNTED_ROWS + 1}) counted`,
    );
    const { count } = (await connection.row<{ count: number }>(query, conditions.values))!;
    if (count <= COUNTED_ROWS) return { total: count, capped: false };
    this.believe(key, now);
    return { total: COUNTED_ROWS, capped: true };
  }

  private believe(key: string, now: number): void {
    if (this.overUntil.size >= MOST_BELIEVED) this.overUntil.clear();
    this.overUntil.set(key, now + BELIEVED_MS);
  }
}
