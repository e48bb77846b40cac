import type { Listing } from '#libs/lists';
import { FOLDERS, type FolderId, type TicketStateFilter } from './folders.js';
import type { TicketFilter } from './ticket-filter.js';
import { TICKET_ORDERS, type TicketSort, isOrderOfRecency } from './ticket-orders.js';

/** The table that a list reads, with the columns of its order. `unordered` is cheaper and serves a count. */
export function sourceOf(filter: TicketFilter, sort: TicketSort): Omit<Listing, 'conditions'> {
  const order = TICKET_ORDERS[sort];
  const id = 't.id';
  const parts = partsOf(filter);
  if (isFoundByAnIndex(filter)) return { from: FEW_TICKETS, id, order };
  if (isForWaiting(filter) && sort !== 'waiting') return { from: WAITING_TICKETS, id, order };
  if (isFoundByRecency(filter, sort)) return { from: 'ticket_recency t', id: 't.ticket_id', order, parts };
  const unordered = filter.updatedSince ? BESIDE_TICKETS : 'tickets t';
  if (isOrderOfRecency(order)) return { from: BESIDE_TICKETS, unordered, id, order, parts };
  return { from: unordered, id, order };
}

/** Filters that read columns of `tickets`. A record, so that the compiler names a forgotten filter. */
const TICKET_COLUMN_FILTERS = Object.keys({
  customer: true,
  assignee: true,
  assignedGroup: true,
  states: true,
  mailbox: true,
  priority: true,
  externalId: true,
  createdSince: true,
  createdBefore: true,
} satisfies Record<TicketColumnFilter, true>) as TicketColumnFilter[];

type TicketColumnFilter = Exclude<keyof TicketFilter, 'folder' | 'updatedSince' | 'search'>;

/** Whether `ticket_recency` alone finds the page, so that only the tickets on it are read, however far the page is. */
export const isFoundByRecency = (filter: TicketFilter, sort: TicketSort): boolean =>
  isOrderOfRecency(TICKET_ORDERS[sort]) &&
  filter.folder !== 'needs_reply' &&
  !isPartOfOpen(filter.folder) &&
  filter.search.parts.length === 0 &&
  TICKET_COLUMN_FILTERS.every((name) => filter[name] === undefined);

/** Few tickets, which are sorted. */
const isFoundByAnIndex = ({ folder, customer, externalId, search }: TicketFilter): boolean =>
  folder === 'mentioned' || customer !== undefined || externalId !== undefined || search.candidates !== null;

const isForWaiting = ({ folder, search }: TicketFilter): boolean =>
  folder === 'needs_reply' ||
  (folder !== 'deleted' && search.parts.some(({ part }) => part.kind === 'waiting' && !part.excluded));

const FOLDERS_OF_STATE = {
  unread: 'open',
  opened: 'open',
  pending: 'open',
  closed: 'closed',
  spam: 'spam',
  snoozed: 'snoozed',
} as const satisfies Record<TicketStateFilter, FolderId>;

const LIVE_FOLDERS = [...new Set(Object.values(FOLDERS_OF_STATE))];

const isPartOfOpen = (folder: FolderId | undefined): boolean =>
  folder === 'mine' || folder === 'mentioned' || folder === 'unassigned';

/** A snoozed ticket keeps its state. */
function partsOf({ folder, states }: TicketFilter): string[] {
  const wanted = states?.map((state) => FOLDERS_OF_STATE[state]) ?? LIVE_FOLDERS;
  const folders = LIVE_FOLDERS.filter((one) => one === 'snoozed' || wanted.includes(one));
  return (folder ? [isPartOfOpen(folder) ? 'open' : folder] : folders).map(inFolder);
}

export const inFolder = (folder: FolderId): string => `t.folder = '${folder}'`;

const fewTickets = (where = ''): string => `(select t.*, t.updated_at as touched_at, t.number as ticket_number,
  coalesce(array_position(array['low', 'medium', 'high', 'urgent'], t.priority), 0) as rank from tickets t ${where}) t`;

const FEW_TICKETS = fewTickets();

/** `offset 0` makes PostgreSQL read the index of waiting tickets. It would walk all open tickets to find the few. */
const WAITING_TICKETS = fewTickets(`where t.account_id = $1 and ${FOLDERS.needs_reply.holds} offset 0`);

/** `changed_in` completes the primary key of `ticket_recency`, so each of the two rows finds the other by its key. */
const BESIDE_TICKETS = `(select t.*, n.touched_at, n.ticket_number, n.rank, n.folder from ticket_recency n
  join tickets t on t.account_id = n.account_id and t.id = n.ticket_id and n.changed_in = t.changed_in) t`;
