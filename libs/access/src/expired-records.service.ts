import { Clock, Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { MAX_PURGED_ROWS, PURGES } from './expired-record.statements.js';

type PurgedCounts = { readonly [Kind in keyof typeof PURGES]: number };

/** Readers check the time of a record, so this only frees space. */
@Injectable()
export class ExpiredRecordsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Call it until it finds none. Round trips: 9. */
  async purge(): Promise<PurgedCounts> {
    const counts: Record<string, number> = {};
    for (const [kind, statement] of Object.entries(PURGES)) {
      const row = await this.database.system().row<{ count: number }>(statement, [this.clock.now(), MAX_PURGED_ROWS]);
      counts[kind] = row?.count ?? 0;
    }
    return counts as PurgedCounts;
  }
}
