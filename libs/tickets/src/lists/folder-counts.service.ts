import type { AccountConnection } from '#libs/database';
import { CountCache, MAX_COUNTED_ROWS } from '#libs/lists';
import { Injectable } from '@nestjs/common';
import { type CountedFolders, countFolders, readLatestChange } from './folder-counts.statements.js';
import { FOLDER_IDS, type FolderId } from './folders.js';

export type FolderCounts = Readonly<Record<FolderId, number>>;

/** Valid while `latest` is the latest change of the account's tickets. */
interface Kept {
  readonly count: number;
  readonly latest: string | null;
}

@Injectable()
export class FolderCountsService {
  constructor(private readonly cache: CountCache) {}

  /** Counts at the cap are not repeated. */
  async count(connection: AccountConnection, me: string, mailbox: string | undefined): Promise<FolderCounts> {
    const keyOf = (folder: FolderId) =>
      JSON.stringify([connection.accountId, folder, folder === 'mine' ? me : '', mailbox]);
    const latest = await readLatestChange(connection);
    const known = new Map(FOLDER_IDS.map((folder) => [folder, this.known(keyOf(folder), latest)]));
    const unknown = FOLDER_IDS.filter((folder) => known.get(folder) === undefined);
    if (unknown.length > 0) {
      const counted = await countFolders(connection, unknown, { me, mailbox });
      for (const folder of unknown) {
        this.keep(keyOf(folder), counted, counted[folder]);
        known.set(folder, counted[folder]);
      }
    }
    return Object.fromEntries(known) as FolderCounts;
  }

  private known(key: string, latest: string | null): number | undefined {
    const kept = this.cache.get(key) as Kept | undefined;
    return kept && (kept.latest === latest || kept.count === MAX_COUNTED_ROWS) ? kept.count : undefined;
  }

  /** Not cached while an older transaction may still commit, since its number would not reveal the change. */
  private keep(key: string, { latest, isSettled }: CountedFolders, count: number): void {
    if (isSettled || count === MAX_COUNTED_ROWS) this.cache.set(key, { count, latest } satisfies Kept);
  }
}
