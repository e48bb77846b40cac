import { Conditions } from '#libs/lists';
import { pointsAt } from '../references.js';
import { type Searcher, isTicketWith, narrowToSearch } from '../search/search-conditions.js';
import { folderCondition, inStates, isPersonal } from './folders.js';
import { inFolder, isFoundByRecency } from './recency.js';
import type { TicketFilter } from './ticket-filter.js';
import type { TicketSort } from './ticket-orders.js';

export function ticketConditions(filter: TicketFilter, sort: TicketSort, searcher: Searcher): Conditions {
  const conditions = Conditions.forAccount('t');
  narrowToTime(conditions, filter);
  if (isFoundByRecency(filter, sort))
    return conditions.add(filter.folder ? inFolder(filter.folder) : "t.folder not in ('deleted', 'merged')");
  narrowToFolder(conditions, filter, searcher.agentId);
  narrowToPeople(conditions, filter);
  const { externalId } = filter;
  if (externalId !== undefined) conditions.addKey(isTicketWith(`external_id = ${conditions.bind(externalId)}`));
  if (filter.mailbox !== undefined) narrowToMailbox(conditions, filter.mailbox);
  narrowToSearch(conditions, filter.search, searcher);
  return conditions;
}

function narrowToFolder(conditions: Conditions, { folder, states, priority }: TicketFilter, me: string): void {
  if (folder === undefined) conditions.add('t.deleted_at is null');
  else conditions.add(folderCondition(folder, `${isPersonal(folder) ? conditions.bind(me) : ''}::uuid`));
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

/** By name, email or id. */
export function narrowToMailbox(conditions: Conditions, mailbox: string): void {
  conditions.add(pointsAt(conditions, 't.mailbox_id', 'mailboxes', mailbox));
}

function narrowToTime(conditions: Conditions, { createdSince, createdBefore, updatedSince }: TicketFilter): void {
  if (createdSince) conditions.add(`t.created_at >= ${conditions.bind(createdSince)}`);
  if (createdBefore) conditions.add(`t.created_at < ${conditions.bind(createdBefore)}`);
  if (updatedSince) conditions.add(`t.touched_at >= ${conditions.bind(updatedSince)}`);
}
