import { Clock, Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { type RedriveScope, makeDue } from '../ledger/make-due.js';

/** Rows that one statement takes, so that the feeder hardly waits. */
const BATCH = 2_000;

@Injectable()
export class RedriveService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Says how many deliveries were made due. */
  async run(scope: RedriveScope): Promise<number> {
    const now = this.clock.now();
    for (let total = 0; ;) {
      const count = await makeDue(this.database.system(), scope, { now, limit: BATCH });
      total += count;
      if (count === 0) return total;
    }
  }
}
