import {
  type AccountConnection,
  type AccountTx,
  accountStatement,
  columns,
  hydrate,
  rowById,
  rowByKey,
  rowByKeyOrId,
  writtenColumns,
} from '#libs/database';
import { Agent, Customer, Group, Mailbox, Message, Ticket } from '#libs/entities';
import {
  type AddedCustomer,
  addedCustomer,
  upsertCustomerSql,
  upsertValues,
} from './customers/find-or-create-customer.statements.js';
import { newMessage } from './messages/new-message.js';
import { type NewTicket, type TicketDraft, type TicketReferences, buildTicket, refuseUnknown } from './new-ticket.js';
import { parsePersonReference, parseReference } from './references.js';
import { WORDS_VERSION, ticketVector, wordVector } from './search/lexemes.js';
import { indexCustomer } from './search/search-index.statements.js';

/** Prefers the given mailbox, then the one written to, then the account's oldest. */
const FIND_REFERENCES = accountStatement(
  'ticket_find_cast',
  `select ${columns(Agent, 'f')}, ${columns(Mailbox, 'm')}, ${columns(Agent, 'a')}, ${columns(Group, 'g')},
     ${columns(Agent, 'b')}, m.asked
   from accounts
   left join ${rowByKey('agents', 'email', '$2')} f on true
   left join ${rowByKeyOrId('agents', 'email', ['$3', '$4'])} a on true
   left join ${rowByKeyOrId('groups', 'name', ['$5', '$6'])} g on true
   left join ${rowById('agents', '$7')} b on true
   left join lateral (
     select *, coalesce(name = $8 or email = lower($8) or id = $9, false) as asked from mailboxes where account_id = $1
     order by asked desc, (email = $10) desc, created_at, id limit 1
   ) m on true
   where accounts.id = $1`,
);

export async function resolveReferences(
  connection: AccountConnection,
  agentId: string,
  wanted: NewTicket,
): Promise<TicketReferences> {
  const row = (await connection.row(FIND_REFERENCES, [
    wanted.from.email,
    ...Object.values(parsePersonReference(wanted.assignee)),
    ...Object.values(parseReference(wanted.assignedGroup)),
    wanted.state === 'closed' ? agentId : null,
    ...Object.values(parseReference(wanted.mailbox)),
    wanted.to.email,
  ]))!;
  const references = {
    author: hydrate(Agent, row, 'f'),
    mailbox: hydrate(Mailbox, row, 'm')!,
    assignee: hydrate(Agent, row, 'a'),
    group: hydrate(Group, row, 'g'),
    closer: hydrate(Agent, row, 'b'),
  };
  refuseUnknown(wanted, references, row['asked'] === true);
  return references;
}

const TICKET = writtenColumns(Ticket, 4, ['accountId', 'customerId']);
const MESSAGE = writtenColumns(Message, TICKET.next, ['accountId', 'ticketId', 'authorCustomerId']);

const INSERT_TICKET = accountStatement(
  'ticket_open',
  `with c as (${upsertCustomerSql('$2', '$3')}),
   t as (
     insert into tickets (account_id, customer_id, ${TICKET.names}) select $1, c.id, ${TICKET.parameters} from c
   ), m as (
     insert into messages (account_id, ticket_id, author_customer_id, ${MESSAGE.names})
     select $1, ${TICKET.parameter('id')}, case when ${MESSAGE.parameter('authorAgentId')}::uuid is null then c.id end,
       ${MESSAGE.parameters} from c
   ), words as (
     insert into ticket_words (ticket_id, source_id, account_id, words, version)
     values (${TICKET.parameter('id')}, ${TICKET.parameter('id')}, $1, $${MESSAGE.next}, ${WORDS_VERSION}),
       (${TICKET.parameter('id')}, ${MESSAGE.parameter('id')}, $1, $${MESSAGE.next + 1}, ${WORDS_VERSION})
   )
   select ${columns(Customer, 'c')}, added from c`,
);

export async function insertTicket(
  tx: AccountTx,
  { wanted, rendered, references, number, now }: TicketDraft,
): Promise<AddedCustomer & { ticket: Ticket; messageId: string }> {
  const ticket = buildTicket({ wanted, rendered, references, number, now });
  const toAddresses = references.author && !wanted.note ? [wanted.to.email] : wanted.toAddresses;
  const message = newMessage({ ...wanted, toAddresses, rendered }, ticket, references.author, now);
  const row = await tx.row(INSERT_TICKET, [
    ...upsertValues(references.author ? wanted.to : wanted.from, now),
    ...TICKET.values(ticket),
    ...MESSAGE.values(message),
    ticketVector(tx.accountId, ticket),
    wordVector(tx.accountId, message.plainTextBody),
  ]);
  const { customer, added } = addedCustomer(row!);
  indexCustomer(tx, customer, now);
  Object.assign(ticket, { customer, customerId: customer.id });
  return { ticket, customer, added, messageId: message.id };
}
