import {
  type AccountConnection,
  type AccountStatement,
  type AccountTx,
  accountStatement,
  columns,
  filter,
  hydrate,
  isUuid,
  writtenColumns,
} from '#libs/database';
import { Agent, Attachment, Customer, Message, NotFound, type Ticket } from '#libs/entities';
import { loadInOrder } from '#libs/lists';
import { WORDS_VERSION, wordVector } from '../search/lexemes.js';
import { SAVE_TICKET, TICKET_CHANGES } from '../ticket.statements.js';

type Row = Record<string, unknown>;

const ATTACHED = `(select jsonb_agg(jsonb_build_object('id', x.id, 'accountId', x.account_id, 'messageId', x.message_id, 'name', x.name,
  'contentType', x.content_type, 'size', x.size, 'createdAt', x.created_at) order by x.id)
  from attachments x where x.message_id = s.id) as attachments`;

const COPIES = `(select jsonb_agg(jsonb_build_object('recipient', y.recipient, 'state', y.state, 'reason', y.reason) order by y.id)
  from outgoing_mails y where y.copy_of = s.id) as copies`;

const SELECT = `
  select ${columns(Message, 's', ['safeHtml'])}, ${columns(Agent, 'a')}, ${columns(Customer, 'c')}, ${columns(Agent, 'ra')},
    ${columns(Customer, 'rc')}, t.number, o.state as delivery, o.reason as delivery_reason, ${ATTACHED}, ${COPIES},
    (select r.verdicts from arrivals r where r.message_id = s.id limit 1) as verdicts
  from messages s
  join tickets t on t.id = s.ticket_id
  left join outgoing_mails o on o.message_id = s.id
  left join agents a on a.id = s.author_agent_id
  left join customers c on c.id = s.author_customer_id
  left join agents ra on not s.note and s.author_agent_id is null and ra.id = t.assignee_id
  left join customers rc on not s.note and s.author_agent_id is not null and rc.id = t.customer_id
  where ${filter('s.account_id = $1')}`;

const READ = accountStatement('message_read', `${SELECT} and s.id = $2`);
const READ_LIVE = accountStatement('message_read_live', `${SELECT} and s.id = $2 and t.deleted_at is null`);
const LOAD = accountStatement('message_load', `${SELECT} and s.id = any($2)`);

const NEW = writtenColumns(Message, TICKET_CHANGES.next, ['accountId', 'ticketId']);

/** Inserts the message and its search words, and updates the ticket. */
const INSERT = accountStatement(
  'message_insert',
  `with saved as (${SAVE_TICKET}), words as (
     insert into ticket_words (ticket_id, source_id, account_id, words, version)
     values ($2, ${NEW.parameter('id')}, $1, $${NEW.next}, ${WORDS_VERSION})
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
  const message = isUuid(id) && toMessage((await connection.row<Row>(statement, [id])) ?? {});
  if (!message) throw new NotFound('message');
  return message;
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
      ticketNumber: row['number'],
      delivery: row['delivery'],
      deliveryReason: row['delivery_reason'],
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

/** By message id. */
export async function readHtml(
  connection: AccountConnection,
  ids: readonly string[],
  characters: number,
): Promise<ReadonlyMap<string, string>> {
  const rows = await connection.rows<{ id: string; html: string }>(READ_HTML, [ids, characters]);
  return new Map(rows.map(({ id, html }) => [id, html]));
}

const SAVE_RENDERED = accountStatement(
  'message_save_rendered',
  `update messages set shown_as = $3, safe_html = $4 where id = $2 and ${filter('account_id = $1')} and shown_as is null`,
);

export async function saveRendered(
  connection: AccountConnection,
  id: string,
  { shownAs, safeHtml }: Pick<Message, 'shownAs' | 'safeHtml'>,
): Promise<void> {
  await connection.rows(SAVE_RENDERED, [id, shownAs, safeHtml]);
}
