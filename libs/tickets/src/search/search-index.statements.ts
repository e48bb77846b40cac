import {
  type AccountConnection,
  type AccountTx,
  type SystemTx,
  accountStatement,
  systemStatement,
} from '#libs/database';
import type { Customer, Ticket } from '#libs/entities';
import { WORDS_VERSION, customerVector, fileVector, ticketVector, wordVector } from './lexemes.js';
import { MAX_CHARACTERS } from './words.js';

const INDEX_TICKET = accountStatement(
  'search_index_ticket',
  `insert into ticket_words (ticket_id, source_id, account_id, words, version) values ($2, $2, $1, $3, ${WORDS_VERSION})
   on conflict (ticket_id, source_id) do update set words = excluded.words, version = excluded.version`,
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

const REASON = 'Rows written before the search index existed are indexed in every account';

/** The texts of a batch of the largest messages take 5 MB. */
const BATCH = 100;

/** Goes from row to row, because PostgreSQL might sort a whole table that it believes to be small. */
const readBatch = (table: string, columns: string, also = '') =>
  systemStatement(
    `search_walk_${table}`,
    REASON,
    `with recursive walk as (
       (select id, 1 as place from ${table} where id > $1 order by id limit 1)
       union all
       select following.id, place + 1 from walk cross join lateral (
         select id from ${table} where id > walk.id order by id limit 1) following
       where place < ${BATCH}
     )
     select x.id, x.account_id as "accountId", ${columns} from walk
     cross join lateral (select * from ${table} where id = walk.id limit 1) x ${also}
     where walk.id < $2 order by walk.id`,
  );

interface UnindexedRow {
  readonly id: string;
  readonly accountId: string;
  readonly ticketId: string;
  readonly text: string;
  readonly title: string | null;
  readonly tags: readonly string[];
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly companyName: string | null;
}

const TABLES = {
  attachments: {
    read: readBatch(
      'attachments',
      's.ticket_id as "ticketId", x.name as text',
      'cross join lateral (select ticket_id from messages where id = x.message_id limit 1) s',
    ),
    vector: ({ accountId, text }: UnindexedRow) => fileVector(accountId, text),
  },
  customers: {
    read: readBatch(
      'customers',
      'x.first_name as "firstName", x.last_name as "lastName", x.email, x.company_name as "companyName"',
    ),
    vector: (row: UnindexedRow) => customerVector(row.accountId, row),
  },
  messages: {
    read: readBatch('messages', `x.ticket_id as "ticketId", left(x.plain_text_body, ${MAX_CHARACTERS}) as text`),
    vector: ({ accountId, text }: UnindexedRow) => wordVector(accountId, text),
  },
  tickets: {
    read: readBatch('tickets', 'x.id as "ticketId", x.title, x.tags'),
    vector: (row: UnindexedRow) => ticketVector(row.accountId, row),
  },
} as const;

const TAKE = systemStatement(
  'search_walk_take',
  REASON,
  `select name, after, started_at as "startedAt",
     not exists (select from accounts where created_at < w.started_at) as "isNewInstallation"
   from search_walks w where finished_at is null for update skip locked`,
);

const SAVE_PROGRESS = systemStatement(
  'search_walk_go_on',
  REASON,
  `update search_walks set after = $2, found = found + $3, finished_at = $4 where name = $1`,
);

const SAVE_WORDS = systemStatement(
  'search_walk_save_words',
  REASON,
  `insert into ticket_words as w (ticket_id, source_id, account_id, words, version)
   select *, ${WORDS_VERSION} from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::tsvector[])
   on conflict (ticket_id, source_id) do update set words = excluded.words, version = excluded.version
   where w.version < ${WORDS_VERSION}`,
);

const SAVE_CUSTOMERS = systemStatement(
  'search_walk_save_customers',
  REASON,
  `insert into customer_words (customer_id, account_id, words) select * from unnest($1::uuid[], $2::uuid[], $3::tsvector[])
   on conflict do nothing`,
);

export interface Backfill {
  readonly name: keyof typeof TABLES;
  readonly after: string;
  readonly startedAt: Date;
  /** No account is older than the backfill, so no older version wrote anything. */
  readonly isNewInstallation: boolean;
}

export const takeBackfills = (tx: SystemTx): Promise<Backfill[]> => tx.rows<Backfill>(TAKE);

export async function indexBatch(tx: SystemTx, { name, after }: Backfill, before: string): Promise<string[]> {
  const rows = await tx.rows<UnindexedRow>(TABLES[name].read, [after, before]);
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const accounts = rows.map(({ accountId }) => accountId);
  const words = rows.map(TABLES[name].vector);
  if (name === 'customers') await tx.rows(SAVE_CUSTOMERS, [ids, accounts, words]);
  else await tx.rows(SAVE_WORDS, [rows.map(({ ticketId }) => ticketId), ids, accounts, words]);
  return ids;
}

export async function saveProgress(
  tx: SystemTx,
  { name, after }: Backfill,
  ids: readonly string[],
  finishedAt: Date | null,
): Promise<void> {
  await tx.rows(SAVE_PROGRESS, [name, ids.at(-1) ?? after, ids.length, finishedAt]);
}
