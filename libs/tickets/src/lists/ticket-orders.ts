import type { Order } from '#libs/lists';

export const NEVER = "timestamptz '9999-12-31 00:00:00+00'";

/** This expression must equal that of the index. */
export const WAITING = `(case when t.state in ('closed', 'spam') then ${NEVER} else coalesce(t.waiting_since, ${NEVER}) end)`;

/** The last three are columns of `ticket_recency`. */
const KEYS = {
  created_at: { column: 't.created_at', type: 'timestamptz' },
  waiting: { column: WAITING, type: 'timestamptz' },
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
  '-updated_at': order('-updated_at', true, 'touched_at', 'ticket_number'),
  updated_at: order('updated_at', false, 'touched_at', 'ticket_number'),
  '-number': order('-number', true, 'number'),
  number: order('number', false, 'number'),
  waiting: order('waiting', false, 'waiting', 'number'),
  '-priority': order('-priority', true, 'rank', 'touched_at', 'ticket_number'),
} as const satisfies Record<string, Order>;

export const isOrderOfRecency = ({ keys }: Order): boolean => keys.includes(KEYS.touched_at);

export type TicketSort = keyof typeof TICKET_ORDERS;
export const TICKET_SORTS = Object.keys(TICKET_ORDERS) as TicketSort[];
