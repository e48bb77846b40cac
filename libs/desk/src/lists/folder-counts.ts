import { type AccountConnection, accountQuery } from '#libs/database';
import { COUNTED_ROWS, Conditions } from '#libs/lists';
import { FOLDER_IDS, type FolderId, folderCondition } from './folders.js';
import { narrowToMailbox } from './ticket-filter.js';

export type FolderCounts = Readonly<Record<FolderId, number>>;

/** One round trip. As in lists, nothing is counted beyond the cap. */
export async function countFolders(
  connection: AccountConnection,
  me: string,
  mailbox: string | undefined,
): Promise<FolderCounts> {
  const conditions = Conditions.within('t');
  const agent = `${conditions.value(me)}::uuid`;
  if (mailbox !== undefined) narrowToMailbox(conditions, mailbox);
  const counts = FOLDER_IDS.map(
    (folder) => `(select count(*)::integer from (
       select 1 from tickets t where ${conditions.sql()} and ${folderCondition(folder, agent)} limit ${COUNTED_ROWS}
     ) counted) as "${folder}"`,
  );
  return (await connection.row<FolderCounts>(accountQuery(`select ${counts.join(', ')}`), conditions.values))!;
}
