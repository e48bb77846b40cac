import { type AccountTx, accountStatement } from '#libs/database';
import type { Customer, Ticket } from '#libs/entities';
import { customerVector, ticketVector } from './lexemes.js';

const INDEX_TICKET = accountStatement(
  'search_index_ticket',
  `insert into ticket_words (ticket_id, source_id, account_id, words) values ($2, $2, $1, $3)
   on conflict (ticket_id, source_id) do update set words = excluded.words`,
);

const INDEX_CUSTOMER = accountStatement(
  'search_index_customer',
  `insert into customer_words (customer_id, account_id, words) values ($2, $1, $3)
   on conflict (customer_id) do update set words = excluded.words`,
);

export function indexTicket(tx: AccountTx, ticket: Ticket): void {
  tx.send(INDEX_TICKET, [ticket.id, ticketVector(tx.accountId, ticket)]);
}

/** Skips an unchanged customer. */
export function indexCustomer(tx: AccountTx, customer: Customer, now: Date): void {
  if (customer.updatedAt.getTime() === now.getTime())
    tx.send(INDEX_CUSTOMER, [customer.id, customerVector(tx.accountId, customer)]);
}
