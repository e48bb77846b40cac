import { Clock, Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { PURGED_KINDS, type PurgedKind, purgeExpired } from './expired-record.statements.js';

type PurgedCounts = Readonly<Record<PurgedKind, number>>;

/** Readers check the time of a record, so this only frees space. */
@Injectable()
export class ExpiredRecordsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Call it until it finds none. Round trips: 10. */
  async purge(): Promise<PurgedCounts> {
    const counts: Partial<Record<PurgedKind, number>> = {};
    for (const kind of PURGED_KINDS) counts[kind] = await purgeExpired(this.database.system(), kind, this.clock.now());
    return counts as PurgedCounts;
  }
}
