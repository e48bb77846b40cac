import { type AccountConnection, type AccountTx, accountStatement } from '#libs/database';
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

/** Limits the time of marking. A match further back is found but not shown. */
const SHOWN_CHARACTERS = 20_000;

const FIND_TEXTS = accountStatement(
  'search_texts',
  `select t.number, hit.kind, hit.text from tickets t cross join lateral (
     select case when s.id is null then 'file' when s.note then 'note' else 'message' end as kind,
       coalesce(left(s.plain_text_body, ${SHOWN_CHARACTERS}), x.name) as text
     from ticket_words w left join messages s on s.id = w.source_id left join attachments x on x.id = w.source_id
     where w.ticket_id = t.id and w.source_id <> t.id and w.words @@ $3::tsquery
     order by s.id is null, s.id desc limit 1
   ) hit
   where t.account_id = $1 and t.number = any($2)`,
);

export interface FoundText {
  readonly number: number;
  readonly kind: 'message' | 'note' | 'file';
  readonly text: string;
}

export const findTexts = (
  connection: AccountConnection,
  numbers: readonly number[],
  query: string,
): Promise<FoundText[]> => connection.rows<FoundText>(FIND_TEXTS, [numbers, query]);
