import { type AccountConnection, type AccountTx, accountStatement, later } from '#libs/database';
import type { Message, Ticket } from '#libs/entities';
import { Conditions, type Listing, type Order } from '#libs/lists';

/** Both texts are in every answer. PostgreSQL reads the length of a long text without the text. */
export const BODY_BYTES = 'octet_length(s.body) + octet_length(s.plain_text_body)';

/** The id of a message starts with its time, so the order of ids is the order of the thread. */
export const MESSAGE_ORDERS = {
  'oldest first': { name: 'id', descending: false, keys: [{ column: 's.id', type: 'uuid' }] },
  'newest first': { name: '-id', descending: true, keys: [{ column: 's.id', type: 'uuid' }] },
} as const satisfies Record<string, Order>;

export const OLDEST_UPDATE_FIRST: Order = {
  name: 'updated_at',
  descending: false,
  keys: [
    { column: 's.updated_at', type: 'timestamptz' },
    { column: 's.id', type: 'uuid' },
  ],
};

export function listingOf(ticket: Pick<Ticket, 'id'>, order: keyof typeof MESSAGE_ORDERS): Listing {
  const conditions = Conditions.forAccount('s');
  conditions.add(`s.ticket_id = ${conditions.bind(ticket.id)}`);
  return { from: 'messages s', id: 's.id', conditions, order: MESSAGE_ORDERS[order], bytes: BODY_BYTES };
}

const HOUR_MS = 60 * 60 * 1000;
/** Messages of a ticket within an hour. People write fewer. */
const MAX_MESSAGES = 20;

const RECENT = accountStatement(
  'agent_notice_recent',
  'select count(*)::int as count from (select from messages where account_id = $1 and ticket_id = $2 and id > uuid_at($3) limit $4) m',
);

export async function isQuiet(tx: AccountTx, ticketId: string, now: Date): Promise<boolean> {
  const row = await tx.row<{ count: number }>(RECENT, [ticketId, later(now, -HOUR_MS), MAX_MESSAGES]);
  return row!.count < MAX_MESSAGES;
}

/** More than the held replies of an agent on one page. */
const NEWEST_MESSAGES = 20;

const NEWEST = accountStatement(
  'message_newest_ids',
  `select id, author_agent_id as "authorAgentId" from messages
   where account_id = $1 and ticket_id = $2 order by id desc limit ${NEWEST_MESSAGES}`,
);

export const readNewestIds = (tx: AccountTx, ticketId: string): Promise<Pick<Message, 'id' | 'authorAgentId'>[]> =>
  tx.rows(NEWEST, [ticketId]);

const FIND_FIRST = accountStatement(
  'ticket_find_messages',
  `select s.id, s.ticket_id as "ticketId", s.bytes from unnest($2::uuid[]) with ordinality as t(id, place)
   cross join lateral (
     select s.id, s.ticket_id, ${BODY_BYTES} as bytes from messages s
     where s.account_id = $1 and s.ticket_id = t.id order by s.id limit $3
   ) s order by t.place, s.id`,
);

export interface FoundMessage {
  readonly id: string;
  readonly ticketId: string;
  readonly bytes: number;
}

export const findFirstMessages = (
  connection: AccountConnection,
  ticketIds: readonly string[],
  limit: number,
): Promise<FoundMessage[]> => connection.rows<FoundMessage>(FIND_FIRST, [ticketIds, limit]);
