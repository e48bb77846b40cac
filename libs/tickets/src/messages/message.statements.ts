import {
  type AccountConnection,
  type AccountStatement,
  type AccountTx,
  accountStatement,
  columns,
  filter,
  hydrate,
  isUuid,
  later,
  writtenColumns,
} from '#libs/database';
import { Agent, Attachment, Customer, Message, type Ticket, existing } from '#libs/entities';
import { Conditions, type Listing, type Order, loadInOrder, byTime } from '#libs/lists';
import { wordVector } from '../search/lexemes.js';
import { SAVE_TICKET, TICKET_CHANGES, applicationById } from '../ticket.statements.js';

type Row = Record<string, unknown>;

const ATTACHED = `(select jsonb_agg(jsonb_build_object('id', x.id, 'accountId', x.account_id, 'messageId', x.message_id, 'name', x.name,
  'contentType', x.content_type, 'size', x.size, 'createdAt', x.created_at) order by x.id)
  from attachments x where x.message_id = s.id) as attachments`;

const COPIES = `(select jsonb_agg(jsonb_build_object('recipient', y.recipient, 'state', y.state, 'reason', y.reason) order by y.id)
  from outgoing_mails y where y.copy_of = s.id) as copies`;

const MENTIONED = `array(select unnest(array[g.email, g.first_name, g.last_name]) from mentions n join agents g on g.id = n.agent_id
  where s.note and n.message_id = s.id) as mentioned`;

const SELECT = `
  select ${columns(Message, 's', ['safeHtml'])}, ${columns(Agent, 'a')}, ${columns(Customer, 'c')}, ${columns(Agent, 'ra')},
    ${columns(Customer, 'rc')}, t.number, o.state as delivery, o.reason as delivery_reason, ${ATTACHED}, ${COPIES}, ${MENTIONED},
    ${applicationById('s.application_id')},
    (select r.verdicts from arrivals r where r.message_id = s.id limit 1) as verdicts
  from messages s
  join tickets t on t.id = s.ticket_id
  left join outgoing_mails o on o.message_id = s.id
  left join agents a on a.id = s.author_agent_id
  left join customers c on c.id = s.author_customer_id
  left join agents ra on not s.note and s.author_agent_id is null and ra.id = t.assignee_id
  left join customers rc on not s.note and s.author_agent_id is not null and rc.id = t.customer_id
  where s.account_id = $1`;

const READ = accountStatement('message_read', `${SELECT} and s.id = $2`);
const READ_LIVE = accountStatement('message_read_live', `${SELECT} and s.id = $2 and t.deleted_at is null`);
const LOAD = accountStatement('message_load', `${SELECT} and s.id = any($2)`);

const NEW = writtenColumns(Message, TICKET_CHANGES.next, ['accountId', 'ticketId']);

const INSERT = accountStatement(
  'message_insert',
  `with saved as (${SAVE_TICKET}), words as (
     insert into ticket_words (ticket_id, source_id, account_id, words)
     values ($2, ${NEW.parameter('id')}, $1, $${NEW.next})
   )
   insert into messages (account_id, ticket_id, ${NEW.names}) values ($1, $2, ${NEW.parameters})`,
);

export async function insertMessage(tx: AccountTx, message: Message, ticket: Ticket): Promise<void> {
  const words = wordVector(tx.accountId, message.plainTextBody);
  tx.send(INSERT, [ticket.id, ...TICKET_CHANGES.values(ticket), ...NEW.values(message), words]);
}

/** Includes messages of deleted tickets. */
export const readMessage = (connection: AccountConnection, id: string): Promise<Message> =>
  findOrFail(connection, READ, id);

export const readLiveMessage = (connection: AccountConnection, id: string): Promise<Message> =>
  findOrFail(connection, READ_LIVE, id);

async function findOrFail(connection: AccountConnection, statement: AccountStatement, id: string): Promise<Message> {
  return existing(isUuid(id) && toMessage((await connection.row<Row>(statement, [id])) ?? {}), 'message');
}

export const loadMessages = (connection: AccountConnection, ids: readonly string[]): Promise<Message[]> =>
  loadInOrder(connection, LOAD, ids, toMessage);

function toMessage(row: Row): Message | null {
  const message = hydrate(Message, row, 's');
  return (
    message &&
    Object.assign(message, {
      author: hydrate(Agent, row, 'a') ?? hydrate(Customer, row, 'c'),
      recipient: hydrate(Agent, row, 'ra') ?? hydrate(Customer, row, 'rc'),
      application: row['application'],
      ticketNumber: row['number'],
      delivery: row['delivery'],
      deliveryReason: row['delivery_reason'],
      mentioned: row['mentioned'],
      copies: row['copies'] ?? [],
      verdicts: row['verdicts'] ?? null,
      attachments: ((row['attachments'] ?? []) as Attachment[]).map((attachment) =>
        Object.assign(new Attachment(), attachment, { createdAt: new Date(attachment.createdAt) }),
      ),
    })
  );
}

const READ_HTML = accountStatement(
  'message_read_html',
  'select id, left(safe_html, $3) as html from messages where account_id = $1 and id = any($2)',
);

export async function readHtml(
  connection: AccountConnection,
  ids: readonly string[],
  characters: number,
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await connection.rows<{ id: string; html: string }>(READ_HTML, [ids, characters]);
  return new Map(rows.map((row) => [row.id, row.html]));
}

export const SAVE_RENDERED = accountStatement(
  'message_save_rendered',
  `update messages set shown_as = $3, safe_html = $4 where id = $2 and account_id = $1 and shown_as is null`,
);

/** Both texts are in every response. PostgreSQL reads the length of a long text without the text. */
export const BODY_BYTES = 'octet_length(s.body) + octet_length(s.plain_text_body)';

/** The id of a message starts with its time, so the order of ids is the order of the thread. */
export const MESSAGE_ORDERS = {
  'oldest first': { name: 'id', descending: false, keys: [{ column: 's.id', type: 'uuid' }] },
  'newest first': { name: '-id', descending: true, keys: [{ column: 's.id', type: 'uuid' }] },
} as const satisfies Record<string, Order>;

export const OLDEST_UPDATE_FIRST: Order = { name: 'updated_at', descending: false, keys: byTime('s', 'updated_at') };

export function listingOf(ticket: Pick<Ticket, 'id'>, order: keyof typeof MESSAGE_ORDERS): Listing {
  const conditions = Conditions.forAccount('s');
  conditions.add(`s.ticket_id = ${conditions.bind(ticket.id)}`);
  return { from: 'messages s', id: 's.id', conditions, order: MESSAGE_ORDERS[order], bytes: BODY_BYTES };
}

const HOUR_MS = 60 * 60 * 1000;
/** Messages of a customer to a ticket within an hour, by mail or over the API. People write fewer. */
const MAX_MESSAGES = 20;

const EARLIER = accountStatement(
  'message_earlier',
  `select count(*)::int as count from (
     select from messages where ticket_id = $2 and id > uuid_at($4) and id <> $5
       and ${filter('account_id = $1 and author_customer_id = $3 and channel is not distinct from $6')} limit ${MAX_MESSAGES}) m`,
);

/** Two programs may be writing to each other. The ticket is locked, so messages at once are counted in turn. */
export async function isOneOfMany(tx: AccountTx, message: Message): Promise<boolean> {
  const { id, ticketId, authorCustomerId, channel } = message;
  const since = later(message.writtenAt(), -HOUR_MS);
  const row = await tx.row<{ count: number }>(EARLIER, [ticketId, authorCustomerId, since, id, channel]);
  return row!.count >= MAX_MESSAGES;
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

export const findFirstMessages = (connection: AccountConnection, ticketIds: readonly string[], limit: number) =>
  connection.rows<{ id: string; ticketId: string; bytes: number }>(FIND_FIRST, [ticketIds, limit]);
