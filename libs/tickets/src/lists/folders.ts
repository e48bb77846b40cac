import { rangeOf } from '#libs/database';
import type { TicketState } from '#libs/entities';
import type { Conditions } from '#libs/lists';
import { NEVER, WAITING } from './ticket-orders.js';

const LIVE = 't.deleted_at is null';
const IN_HAND = "t.state not in ('closed', 'spam')";
/** A range of the index of open tickets by waiting time. `pending` means that we wait for the customer. */
const NEEDS_REPLY = `${IN_HAND} and t.state <> 'pending' and ${WAITING} < ${NEVER}`;

/** An agent’s newest mentions. Older ones are rarely in hand, and bounding them keeps the folder fast. */
const MAX_MENTIONS = 1000;
const MENTIONED = `t.id = any(array(select s.ticket_id from (
    select message_id from mentions where ${rangeOf('agent_id', ':me')} order by agent_id desc, message_id desc limit ${MAX_MENTIONS}
  ) mentioned join messages s on s.id = mentioned.message_id))`;

/** The folders of the console: conditions on `t`. `:me` is the id of the acting agent. */
export const FOLDERS = {
  needs_reply: { name: 'Needs reply', holds: `${LIVE} and ${NEEDS_REPLY}` },
  unassigned: { name: 'Unassigned', holds: `${LIVE} and t.assignee_id is null and ${IN_HAND}` },
  mine: { name: 'Mine', holds: `${LIVE} and t.assignee_id = :me and ${IN_HAND}` },
  mentioned: { name: 'Mentions', holds: `${LIVE} and ${MENTIONED} and ${IN_HAND}` },
  open: { name: 'Open', holds: `${LIVE} and ${IN_HAND}` },
  snoozed: { name: 'Snoozed', holds: `${LIVE} and t.snoozed_until is not null` },
  closed: { name: 'Closed', holds: `${LIVE} and t.state = 'closed'` },
  spam: { name: 'Spam', holds: `${LIVE} and t.state = 'spam'` },
  deleted: { name: 'Deleted', holds: 't.deleted_at is not null and t.merged_into_id is null' },
} as const;

export type FolderId = keyof typeof FOLDERS;
export const FOLDER_IDS = Object.keys(FOLDERS) as FolderId[];

/** The API filters snoozed tickets by state instead. */
export type ApiFolderId = Exclude<FolderId, 'snoozed'>;
export const API_FOLDER_IDS = FOLDER_IDS.filter((id): id is ApiFolderId => id !== 'snoozed');

export const withSnoozed = (folder: FolderId, me: string): string => FOLDERS[folder].holds.replaceAll(':me', me);

/** Whether each agent has other tickets in it. */
export const isPersonal = (folder: FolderId): boolean => FOLDERS[folder].holds.includes(':me');

/** A snoozed ticket is in no other folder until it wakes. */
export const folderCondition = (folder: FolderId, me: string): string =>
  folder === 'deleted' || folder === 'snoozed'
    ? withSnoozed(folder, me)
    : `${withSnoozed(folder, me)} and t.snoozed_until is null`;

/** The condition of the folder, also for deleted tickets. */
export const CUSTOMER_WAITS = `(${NEEDS_REPLY} and t.snoozed_until is null)`;

/** Filters like a state, but a snoozed ticket keeps its state. */
export const SNOOZED = 'snoozed';
export type TicketStateFilter = TicketState | typeof SNOOZED;

export function inStates(conditions: Conditions, wanted: readonly TicketStateFilter[]): string {
  const states = wanted.filter((state) => state !== SNOOZED);
  const found = [
    ...(states.length > 0 ? [equalsAny(conditions, 't.state', states)] : []),
    ...(states.length < wanted.length ? ['t.snoozed_until is not null'] : []),
  ];
  return `(${found.join(' or ')})`;
}

/** An index can sort by other columns after one equality, but not after a list of values. */
function equalsAny(conditions: Conditions, column: string, values: readonly string[]): string {
  if (values.length === 1) return `${column} = ${conditions.bind(values[0])}`;
  return `${column} = any(${conditions.bind(values)})`;
}
