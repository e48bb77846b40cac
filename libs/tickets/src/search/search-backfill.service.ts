import { Clock, Database, type SystemTx, later, uuidAt } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { type Backfill, indexBatch, saveProgress, takeBackfills } from './search-index.statements.js';

/** Processes of an older version may write old words during an update, so the backfill continues this long. */
const OLD_VERSIONS_LEAVE_MS = 60 * 60 * 1000;
/** A row can be committed after a row with a later id. */
const LATE_COMMIT_MS = 60 * 1000;

/**
 * Indexes rows written before the search index existed. Each transaction walks a batch by id and saves its position.
 * Newer rows are indexed when they are written.
 */
@Injectable()
export class SearchWalksService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  walk(): Promise<number> {
    return this.database.systemTransaction(async (tx) => {
      let indexed = 0;
      for (const backfill of await takeBackfills(tx)) indexed += await indexNext(tx, backfill, this.clock.now());
      return indexed;
    });
  }
}

async function indexNext(tx: SystemTx, backfill: Backfill, now: Date): Promise<number> {
  const ids = await indexBatch(tx, backfill, uuidAt(later(now, -LATE_COMMIT_MS)));
  const oldVersionsAreGone = backfill.isNewInstallation || now > later(backfill.startedAt, OLD_VERSIONS_LEAVE_MS);
  await saveProgress(tx, backfill, ids, ids.length === 0 && oldVersionsAreGone ? now : null);
  return ids.length;
}
