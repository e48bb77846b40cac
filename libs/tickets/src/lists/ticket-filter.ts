import type { TicketPriority, TicketState } from '#libs/entities';
import { Conditions } from '#libs/lists';
import { pointsAt } from '../references.js';
import type { Neighbours } from '../search/neighbours.js';
import { type Searcher, narrowToSearch } from '../search/search-conditions.js';
import type { SearchPlan } from '../search/search-plan.js';

/** "No value" in a query string or form, which have no null. */
export const NONE = 'none';

export interface TicketFilter {
  readonly folder?: FolderId | undefined;
  readonly customer?: string | undefined;
  /** E-mail or id; null for unassigned tickets. */
  readonly assignee?: string | null | undefined;
  readonly assignedGroup?: string | null | undefined;
  readonly states?: readonly TicketStateFilter[] | undefined;
  readonly mailbox?: string | undefined;
  readonly priority?: TicketPriority | null | undefined;
  readonly createdSince?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  readonly updatedSince?: Date | undefined;
  readonly search: SearchPlan;
}

export function ticketConditions(
  filter: TicketFilter,
  searcher: Searcher,
): { readonly conditions: Conditions; readonly neighbours: Neighbours } {
  const conditions = Conditions.forAccount('t');
  narrowToFolder(conditions, filter, searcher.agentId);
  narrowToPeople(conditions, filter);
  if (filter.mailbox !== undefined) narrowToMailbox(conditions, filter.mailbox);
  narrowToTime(conditions, filter);
  return { conditions, neighbours: narrowToSearch(conditions, filter.search, searcher) };
}

function narrowToFolder(conditions: Conditions, { folder, states, priority }: TicketFilter, me: string): void {
  if (folder === undefined) conditions.add('t.deleted_at is null');
  else conditions.add(folderCondition(folder, `${folder === 'mine' ? conditions.bind(me) : ''}::uuid`));
  if (states) conditions.add(inStates(conditions, states));
  if (priority === null) conditions.add('t.priority is null');
  else if (priority) conditions.add(`t.priority = ${conditions.bind(priority)}`);
}

function narrowToPeople(conditions: Conditions, { customer, assignee, assignedGroup }: TicketFilter): void {
  if (customer !== undefined) conditions.addKey(pointsAt(conditions, 't.customer_id', 'customers', customer));
  if (assignee === null) conditions.add('t.assignee_id is null');
  else if (assignee !== undefined) conditions.add(pointsAt(conditions, 't.assignee_id', 'agents', assignee));
  if (assignedGroup === null) conditions.add('t.assigned_group_id is null');
  else if (assignedGroup !== undefined)
    conditions.add(pointsAt(conditions, 't.assigned_group_id', 'groups', assignedGroup));
}

/** By name, e-mail or id. */
export function narrowToMailbox(conditions: Conditions, mailbox: string): void {
  conditions.add(pointsAt(conditions, 't.mailbox_id', 'mailboxes', mailbox));
}

function narrowToTime(conditions: Conditions, { createdSince, createdBefore, updatedSince }: TicketFilter): void {
  if (createdSince) conditions.add(`t.created_at >= ${conditions.bind(createdSince)}`);
  if (createdBefore) conditions.add(`t.created_at < ${conditions.bind(createdBefore)}`);
  if (updatedSince) conditions.add(`t.updated_at >= ${conditions.bind(updatedSince)}`);
}

const LIVE = 't.deleted_at is null';
const IN_HAND = "t.state not in ('closed', 'spam')";

/** The folders of the console: conditions on `t`. `:me` is the id of the acting agent. */
export const FOLDERS = {
  unassigned: { name: 'Unassigned', holds: `${LIVE} and t.assignee_id is null and ${IN_HAND}` },
  mine: { name: 'Mine', holds: `${LIVE} and t.assignee_id = :me and ${IN_HAND}` },
  open: { name: 'Open', holds: `${LIVE} and ${IN_HAND}` },
  snoozed: { name: 'Snoozed', holds: `${LIVE} and t.snoozed_until is not null` },
  closed: { name: 'Closed', holds: `${LIVE} and t.state = 'closed'` },
  spam: { name: 'Spam', holds: `${LIVE} and t.state = 'spam'` },
  deleted: { name: 'Deleted', holds: 't.deleted_at is not null' },
} as const;

export type FolderId = keyof typeof FOLDERS;
export const FOLDER_IDS = Object.keys(FOLDERS) as FolderId[];

/** The API filters snoozed tickets by state instead. */
export type ApiFolderId = Exclude<FolderId, 'snoozed'>;
export const API_FOLDER_IDS = FOLDER_IDS.filter((id): id is ApiFolderId => id !== 'snoozed');

export const withSnoozed = (folder: FolderId, me: string): string => FOLDERS[folder].holds.replaceAll(':me', me);

/** A snoozed ticket is in no other folder until it wakes. */
export const folderCondition = (folder: FolderId, me: string): string =>
  folder === 'deleted' || folder === 'snoozed'
    ? withSnoozed(folder, me)
    : `${withSnoozed(folder, me)} and t.snoozed_until is null`;

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
