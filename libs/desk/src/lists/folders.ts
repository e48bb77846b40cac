/** Who snoozed a ticket wants it out of sight. */
const AWAKE = 't.deleted_at is null and t.snoozed_until is null';

/** The built-in views of a desk: conditions over `t`, with the acting agent's id where `:me` stands. */
export const FOLDERS = {
  unassigned: {
    name: 'Unassigned',
    holds: `${AWAKE} and t.assignee_id is null and t.state not in ('closed', 'spam')`,
  },
  mine: {
    name: 'Mine',
    holds: `${AWAKE} and t.assignee_id = :me and t.state not in ('closed', 'spam')`,
  },
  open: { name: 'Open', holds: `${AWAKE} and t.state not in ('closed', 'spam')` },
  closed: { name: 'Closed', holds: `${AWAKE} and t.state = 'closed'` },
  spam: { name: 'Spam', holds: `${AWAKE} and t.state = 'spam'` },
  deleted: { name: 'Deleted', holds: 't.deleted_at is not null' },
} as const;

export type FolderId = keyof typeof FOLDERS;
export const FOLDER_IDS = Object.keys(FOLDERS) as FolderId[];

export const folderCondition = (folder: FolderId, me: string): string => FOLDERS[folder].holds.replaceAll(':me', me);
