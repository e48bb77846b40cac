import { uuidAt } from '#libs/database';
import { randomUUID } from 'node:crypto';
import { wordVector } from '#libs/tickets';
import type { Desk } from '#test/support/desk.js';
import type { SeededAccount } from '#test/support/seed.js';
import type { Random } from './random.js';

export interface SearchedTicket {
  readonly id: string;
  readonly number: number;
  readonly state: 'opened' | 'closed';
  readonly created: number;
  readonly updated: number;
  readonly deleted: boolean;
  readonly customer: Customer;
  readonly tags: readonly string[];
  readonly texts: readonly string[];
}

interface Customer {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** More tickets than a search samples for its plan, and more than it looks up directly. */
const TICKETS = 3_400;
const CUSTOMERS = 120;
/** Each of the first two customers has this many of the first tickets. */
const OF_ONE = 1_050;
const DAY = 86_400_000;

/** In every ticket. A negated search for it finds the tickets that a walk skips. */
export const EVERYWHERE = 'every';
/** The word starts at this ticket, so that the first thousand tickets of a walk hold less than a page of matches. */
const FROM_HERE = 985;
export const FROM_HERE_ON = 'later';

/** Inserts tickets directly. A few have random ids, are deleted, or were updated long after their creation. */
export async function fillAccount(desk: Desk, account: SeededAccount, random: Random): Promise<SearchedTicket[]> {
  const customers = [customer('kim solo'), customer('solo lee'), customer('kim lee')];
  while (customers.length < CUSTOMERS) customers.push(customer(`${random.name()} ${random.name()}`));
  const start = desk.clock.now().getTime() - DAY;
  const tickets = Array.from({ length: TICKETS }, (_, place) => ticketOf(place, { random, customers, start }));
  await insertCustomers(desk, account, customers);
  await insertTickets(desk, account, tickets);
  await insertWords(desk, account, tickets);
  await desk.sql.query('update accounts set last_ticket_number = $2 where id = $1', [account.id, TICKETS]);
  return tickets;
}

const customer = (name: string): Customer => {
  const id = uuidAt(new Date());
  return { id, name, email: `${id}@client.test` };
};

interface Surroundings {
  readonly random: Random;
  readonly customers: readonly Customer[];
  readonly start: number;
}

function ticketOf(place: number, { random, customers, start }: Surroundings): SearchedTicket {
  const created = start + place * 1_000;
  const number = place + 1;
  const texts = Array.from({ length: 1 + random.below(3) }, () =>
    Array.from({ length: 6 }, () => random.word()).join(' '),
  );
  const owner = place < 2 * OF_ONE ? Math.floor(place / OF_ONE) : 2 + random.below(customers.length - 2);
  return {
    id: random.below(20) === 0 ? randomUUID() : uuidAt(new Date(created)),
    number,
    state: random.below(3) === 0 ? 'closed' : 'opened',
    created,
    updated: random.below(5) === 0 ? start + TICKETS * 1_000 + random.below(DAY / 4) : created + random.below(60_000),
    deleted: random.below(50) === 0,
    customer: customers[random.below(40) === 0 ? 2 : owner]!,
    tags: Array.from({ length: random.below(2) }, () => `t${random.below(5)}`),
    texts: [...texts, number < FROM_HERE ? EVERYWHERE : `${EVERYWHERE} ${FROM_HERE_ON}`],
  };
}

async function insertCustomers({ sql }: Desk, { id }: SeededAccount, customers: readonly Customer[]): Promise<void> {
  const values = [
    id,
    customers.map((one) => one.id),
    customers.map(({ email }) => email),
    customers.map(({ name }) => name),
  ];
  await sql.query(
    `insert into customers (id, account_id, email, first_name, created_at, updated_at)
     select id, $1, email, name, now(), now() from unnest($2::uuid[], $3::text[], $4::text[]) n(id, email, name)`,
    values,
  );
  await sql.query(
    `insert into customer_words (customer_id, account_id, words) select id, $1, words from unnest($2::uuid[], $3::tsvector[]) n(id, words)`,
    [id, customers.map((one) => one.id), customers.map(({ name }) => wordVector(id, name))],
  );
}

async function insertTickets({ sql }: Desk, account: SeededAccount, tickets: readonly SearchedTicket[]): Promise<void> {
  const rows = tickets.map(({ customer: owner, created, updated, texts: _texts, ...ticket }) => ({
    ...ticket,
    customer: owner.id,
    created: new Date(created),
    updated: new Date(updated),
  }));
  await sql.query(
    `insert into tickets (id, account_id, number, state, mailbox_id, customer_id, tags, created_at, updated_at, deleted_at)
     select id, $1, number, state, $2, customer, tags, created, updated, case when deleted then now() end
     from jsonb_to_recordset($3) r(id uuid, number integer, state text, customer uuid, tags text[], created timestamptz,
       updated timestamptz, deleted boolean)`,
    [account.id, account.mailbox.id, JSON.stringify(rows)],
  );
}

async function insertWords({ sql }: Desk, { id }: SeededAccount, tickets: readonly SearchedTicket[]): Promise<void> {
  const rows = tickets.flatMap((ticket) => ticket.texts.map((text) => [ticket.id, wordVector(id, text)] as const));
  await sql.query(
    `insert into ticket_words (ticket_id, source_id, account_id, words)
     select ticket, gen_random_uuid(), $1, words from unnest($2::uuid[], $3::tsvector[]) n(ticket, words)`,
    [id, rows.map(([ticket]) => ticket), rows.map(([, words]) => words)],
  );
}

export const newestFirst =
  (key: 'created' | 'updated' | 'number') =>
  (a: SearchedTicket, b: SearchedTicket): number =>
    b[key] - a[key] || b.number - a.number;

/** Implements the documented search without an index. */
export const matches = (ticket: SearchedTicket, q: string): boolean =>
  [...q.matchAll(/(-?)((?:\w+:)?)("[^"]*"|\S+)/g)].every(
    ([, minus, operator, value]) => isTrueOf(ticket, operator!, value!) === (minus === ''),
  );

function isTrueOf(
  { customer: { name }, tags, texts, number }: SearchedTicket,
  operator: string,
  value: string,
): boolean {
  if (operator === 'tag:') return tags.includes(value);
  if (operator === 'from:') return begins(name, value);
  const phrase = /^"(.*)"$/.exec(value)?.[1];
  if (phrase !== undefined) return [name, ...texts].some((text) => ` ${text} `.includes(` ${phrase} `));
  return [name, ...texts].some((text) => begins(text, value)) || value === `${number}`;
}

const begins = (text: string, word: string): boolean => text.split(' ').some((one) => one.startsWith(word));
