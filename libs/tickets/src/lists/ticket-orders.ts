import type { Order } from '#libs/lists';

const NEVER = "timestamptz '9999-12-31 00:00:00+00'";

/** These expressions must equal those of the index and of `ticket_recency`. */
const WAITING = `(case when t.state in ('closed', 'spam') then ${NEVER} else coalesce(t.waiting_since, ${NEVER}) end)`;
const PRIORITY = `(case t.priority when 'urgent' then 4 when 'high' then 3 when 'medium' then 2 when 'low' then 1 else 0 end)`;

const KEYS = {
  created_at: { column: 't.created_at', type: 'timestamptz' },
  updated_at: { column: 't.updated_at', type: 'timestamptz' },
  waiting: { column: WAITING, type: 'timestamptz' },
  priority: { column: PRIORITY, type: 'integer' },
  number: { column: 't.number', type: 'integer' },
  touched_at: { column: 't.touched_at', type: 'timestamptz' },
  rank: { column: 't.rank', type: 'integer' },
  ticket_number: { column: 't.ticket_number', type: 'integer' },
} as const;

const order = (name: string, descending: boolean, ...keys: (keyof typeof KEYS)[]): Order => ({
  name,
  descending,
  keys: keys.map((key) => KEYS[key]),
});

export const TICKET_ORDERS = {
  '-created_at': order('-created_at', true, 'created_at', 'number'),
  created_at: order('created_at', false, 'created_at', 'number'),
  '-updated_at': order('-updated_at', true, 'updated_at', 'number'),
  updated_at: order('updated_at', false, 'updated_at', 'number'),
  '-number': order('-number', true, 'number'),
  number: order('number', false, 'number'),
  waiting: order('waiting', false, 'waiting', 'number'),
  '-priority': order('-priority', true, 'priority', 'updated_at', 'number'),
} as const satisfies Record<string, Order>;

/** The same orders by the columns of `ticket_recency`. */
export const RECENCY_ORDERS = {
  '-updated_at': order('-updated_at', true, 'touched_at', 'ticket_number'),
  updated_at: order('updated_at', false, 'touched_at', 'ticket_number'),
  '-priority': order('-priority', true, 'rank', 'touched_at', 'ticket_number'),
} as const satisfies Partial<Record<keyof typeof TICKET_ORDERS, Order>>;

export type TicketSort = keyof typeof TICKET_ORDERS;
export const TICKET_SORTS = Object.keys(TICKET_ORDERS) as TicketSort[];
