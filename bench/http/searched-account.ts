import { wordVector } from '#libs/tickets';
import { type SeededAccount, seedAccount, seedToken } from '#test/support/seed.js';
import { TICKETS, withoutIndexes } from './filled-account.js';
import type { HttpBench } from './http-bench.js';

/**
 * Support texts with few common and many rare words. Derived from the ticket number, so that searches can compute what
 * exists.
 */
const VOCABULARY = 20_000;
const WORDS_OF_A_MESSAGE = 12;
const HAN = { first: 0x4e00, count: 2_500, ofAMessage: 14 };
const TICKETS_OF_A_CUSTOMER = 20;
const NAMES = 3_000;
const BATCH = 5_000;

export interface SearchedAccount {
  readonly tickets: number;
  readonly token: string;
}

/**
 * Tickets whose words, marks and customers are searched for. Tickets left by an earlier run on the same database are
 * used again.
 */
export async function searchedAccount({ sql }: HttpBench, tickets: number): Promise<SearchedAccount> {
  const name = `${tickets} searched`;
  const { rows } = await sql.query<{ accountId: string; agentId: string }>(
    `select a.id as "accountId", g.id as "agentId" from accounts a join agents g on g.account_id = a.id
     where a.name = $1 and a.last_ticket_number = $2`,
    [name, tickets],
  );
  if (rows[0]) return { tickets, token: await seedToken(sql, rows[0]) };
  const account = await seedAccount(sql, { name });
  await fill(sql, account, tickets);
  return { tickets, token: account.owner.token };
}

async function fill(sql: HttpBench['sql'], account: SeededAccount, tickets: number): Promise<void> {
  await sql.query('set statement_timeout = 0');
  await sql.query("set maintenance_work_mem = '512MB'");
  await withoutIndexes(sql, ['tickets', 'ticket_words', 'customer_words'], async () => {
    await insertCustomers(sql, account, Math.ceil(tickets / TICKETS_OF_A_CUSTOMER));
    await sql.query(TICKETS, [account.id, tickets, account.mailbox.id, account.owner.id]);
    await insertWords(sql, account, tickets);
  });
  await sql.query('update accounts set last_ticket_number = $2 where id = $1', [account.id, tickets]);
  await sql.query('vacuum analyze');
  await sql.query('checkpoint');
}

async function insertCustomers(sql: HttpBench['sql'], { id }: SeededAccount, count: number): Promise<void> {
  for (const numbers of batchesTo(count)) {
    const names = numbers.map(nameOf);
    const emails = numbers.map((number) => `client${number}@${word(number * 31)}.test`);
    const words = names.map((name, place) => wordVector(id, name, emails[place]!));
    await sql.query(
      `with added as (
         insert into customers (id, account_id, email, first_name, created_at, updated_at)
         select new_uuid_at(now()), $1, email, name, now(), now() from unnest($2::text[], $3::text[]) n(email, name)
         returning id, email)
       insert into customer_words (customer_id, account_id, words)
       select added.id, $1, w.words from added join unnest($2::text[], $4::tsvector[]) w(email, words) using (email)`,
      [id, emails, names, words],
    );
  }
}

async function insertWords(sql: HttpBench['sql'], { id }: SeededAccount, tickets: number): Promise<void> {
  for (const numbers of batchesTo(tickets))
    await sql.query(
      `insert into ticket_words (ticket_id, source_id, account_id, words)
       select t.id, new_uuid_at(t.created_at), $1, w.words from unnest($2::int[], $3::tsvector[]) w(number, words)
       join tickets t on t.account_id = $1 and t.number = w.number`,
      [id, numbers, numbers.map((number) => wordVector(id, textOf(number)))],
    );
}

function* batchesTo(count: number): Generator<number[]> {
  for (let from = 1; from <= count; from += BATCH)
    yield Array.from({ length: Math.min(BATCH, count - from + 1) }, (_, place) => from + place);
}

export const wordsOf = (number: number): string[] =>
  Array.from({ length: WORDS_OF_A_MESSAGE }, (_, place) => word(number * 64 + place));

export const hanOf = (number: number): string =>
  Array.from({ length: HAN.ofAMessage }, (_, place) =>
    String.fromCodePoint(HAN.first + rankOf(number * 64 + 32 + place, HAN.count)),
  ).join('');

/** A customer is named `nameOf(number % customers)`, as the tickets are assigned. */
export const nameOf = (number: number): string => `Fo${rankOf(number * 2, NAMES)} La${rankOf(number * 2 + 1, NAMES)}`;

const textOf = (number: number): string => `${wordsOf(number).join(' ')} ${hanOf(number)}`;

const word = (seed: number): string => `w${rankOf(seed, VOCABULARY).toString(36)}`;

/**
 * Low ranks are frequent: of 20,000, the first makes up one word in 27, and the rarer half of the ranks about a
 * fifth.
 */
const rankOf = (seed: number, ranks: number): number => Math.floor(ranks * fraction(seed) ** 3);

/** Between 0 and 1, deterministic per seed. */
function fraction(seed: number): number {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}
