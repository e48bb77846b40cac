import { rangeOf } from '#libs/database';
import type { FolderId } from './folders.js';
import type { TicketFilter } from './ticket-filter.js';
import { RECENCY_ORDERS, TICKET_ORDERS, type TicketSort } from './ticket-orders.js';

/** The table that a list reads, with the columns of its order. `unordered` is cheaper and serves a count. */
export function sourceOf(filter: TicketFilter, sort: TicketSort) {
  const order = sort in RECENCY_ORDERS ? RECENCY_ORDERS[sort as keyof typeof RECENCY_ORDERS] : undefined;
  const plain = { from: 'tickets t', unordered: 'tickets t', order: TICKET_ORDERS[sort], updatedAt: 't.updated_at' };
  if (isFoundByAnIndex(filter) || (order === undefined && filter.updatedSince === undefined)) return plain;
  const unordered = filter.updatedSince ? BESIDE_TICKETS : plain.from;
  const source = { from: BESIDE_TICKETS, unordered, updatedAt: 't.touched_at' };
  return order ? { ...source, order, parts: partsOf(filter) } : { ...source, order: plain.order };
}

const FOLDERS_WITH_INDEX = new Set<FolderId | undefined>(['snoozed', 'spam', 'deleted']);

/** Few tickets, which are sorted. */
const isFoundByAnIndex = ({ customer, search, folder }: TicketFilter): boolean =>
  customer !== undefined || search.candidates !== null || FOLDERS_WITH_INDEX.has(folder);

const CLOSED = new Set<string>(['closed', 'spam']);

function partsOf({ folder, states }: TicketFilter): string[] {
  const isClosed = folder === 'closed' || (states?.every((state) => CLOSED.has(state)) ?? false);
  const isOpen = folder !== undefined || (states?.every((state) => !CLOSED.has(state) && state !== 'snoozed') ?? false);
  return isClosed ? ['not t.open'] : isOpen ? ['t.open'] : ['t.open', 'not t.open'];
}

/** With the range, PostgreSQL finds either row by the other, and expects enough rows to read them in order. */
const BESIDE_TICKETS = `(select t.*, n.touched_at, n.ticket_number, n.rank, n.open from ticket_recency n
  join tickets t on t.account_id = n.account_id and t.id = n.ticket_id and ${rangeOf('n.changed_in', 't.changed_in')}
  where n.live) t`;
