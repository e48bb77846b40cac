import { type AccountConnection, accountQuery } from '#libs/database';
import { CountCache, MAX_COUNTED_ROWS, Conditions } from '#libs/lists';
import { Injectable } from '@nestjs/common';
import { FOLDER_IDS, type FolderId, folderCondition } from './folders.js';
import { narrowToMailbox } from './ticket-filter.js';

export type FolderCounts = Readonly<Record<FolderId, number>>;

@Injectable()
export class FolderCountsService {
  constructor(private readonly cache: CountCache) {}

  /** One round trip. As in lists, nothing is counted beyond the cap, nor again while it is believed to be over it. */
  async count(connection: AccountConnection, me: string, mailbox: string | undefined): Promise<FolderCounts> {
    const keyOf = (folder: FolderId) =>
      JSON.stringify([connection.accountId, folder, folder === 'mine' ? me : '', mailbox]);
    const believed = FOLDER_IDS.map((folder) => [folder, this.cache.get(keyOf(folder)) as number | undefined] as const);
    const open = believed.flatMap(([folder, total]) => (total === undefined ? [folder] : []));
    const counted = await count(connection, open, me, mailbox);
    for (const folder of open)
      if (counted[folder] === MAX_COUNTED_ROWS) this.cache.set(keyOf(folder), MAX_COUNTED_ROWS);
    return { ...(Object.fromEntries(believed) as FolderCounts), ...counted };
  }
}

async function count(
  connection: AccountConnection,
  folders: readonly FolderId[],
  me: string,
  mailbox: string | undefined,
): Promise<Partial<FolderCounts>> {
  if (folders.length === 0) return {};
  const conditions = Conditions.forAccount('t');
  const agent = folders.includes('mine') ? `${conditions.bind(me)}::uuid` : '';
  if (mailbox !== undefined) narrowToMailbox(conditions, mailbox);
  const counts = folders.map(
    (folder) => `(select count(*)::integer from (
       select 1 from tickets t where ${conditions.sql()} and ${folderCondition(folder, agent)} limit ${MAX_COUNTED_ROWS}
     ) counted) as "${folder}"`,
  );
  return (await connection.row<FolderCounts>(accountQuery(`select ${counts.join(', ')}`), conditions.values))!;
}
