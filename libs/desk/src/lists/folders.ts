const LIVE = 't.deleted_at is null';
const IN_HAND = "t.state not in ('closed', 'spam')";

/** The built-in views of a desk: conditions over `t`, with the acting agent's id where `:me` stands. */
export const FOLDERS = {
  unassigned: { name: 'Unassigned', holds: `${LIVE} and t.assignee_id is null and ${IN_HAND}` },
  mine: { name: 'Mine', holds: `${LIVE} and t.assignee_id = :me and ${IN_HAND}` },
  open: { name: 'Open', holds: `${LIVE} and ${IN_HAND}` },
  closed: { name: 'Closed', holds: `${LIVE} and t.state = 'closed'` },
  spam: { name: 'Spam', holds: `${LIVE} and t.state = 'spam'` },
  deleted: { name: 'Deleted', holds: 't.deleted_at is not null' },
} as const;

export type FolderId = keyof typeof FOLDERS;
export const FOLDER_IDS = Object.keys(FOLDERS) as FolderId[];

/** What a folder holds, and what would be in it if nobody had snoozed it. */
export const withSnoozed = (folder: FolderId, me: string): string => FOLDERS[folder].holds.replaceAll(':me', me);

/** Who snoozed a ticket wants it out of sight. */
export const folderCondition = (folder: FolderId, me: string): string =>
  folder === 'deleted' ? withSnoozed(folder, me) : `${withSnoozed(folder, me)} and t.snoozed_until is null`;
