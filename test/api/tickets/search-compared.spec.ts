// @module-tag long
import { beforeAll, describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { walkPages } from '#test/support/pages.js';
import { seedAccount } from '#test/support/seed.js';
import { EVERYWHERE, FROM_HERE_ON, type SearchedTicket, fillAccount, matches, newestFirst } from './search/corpus.js';
import { randomOf } from './search/random.js';

/** Set SEARCH_SEED to repeat or vary a run, and SEARCHES to run more searches. */
const SEED = Number(process.env['SEARCH_SEED'] ?? 20_260_331);
const SEARCHES = Number(process.env['SEARCHES'] ?? 60);
/** Limits the pages per search. Small pages make the walk follow next_page often. */
const MAX_PAGES = 4;

const desk = deskForFile();
let tickets: readonly SearchedTicket[];
beforeAll(async () => {
  tickets = await fillAccount(desk, desk.account, randomOf(SEED));
  await fillAccount(desk, await seedAccount(desk.sql, { name: 'The same words elsewhere' }), randomOf(SEED + 1));
}, 60_000);

const LISTS = [
  { rest: '', orderedBy: newestFirst('created'), holds: () => true },
  { rest: '&sort=-updated_at', orderedBy: newestFirst('updated'), holds: () => true },
  {
    rest: '&sort=updated_at&folder=open',
    orderedBy: (a: SearchedTicket, b: SearchedTicket) => newestFirst('updated')(b, a),
    holds: ({ state }: SearchedTicket) => state !== 'closed',
  },
  {
    rest: '&sort=-number&state=closed',
    orderedBy: newestFirst('number'),
    holds: (t: SearchedTicket) => t.state === 'closed',
  },
];

const oldestFirst = (a: SearchedTicket, b: SearchedTicket): number => a.number - b.number;

/** Walks that start or end inside the first batch of tickets whose words are read together. */
const AT_EDGES = ['-number', 'number'].flatMap((sort) => {
  const orderedBy = sort === 'number' ? oldestFirst : newestFirst('number');
  const lists = [
    { rest: `&sort=${sort}`, orderedBy, holds: () => true },
    { rest: `&sort=${sort}&folder=open`, orderedBy, holds: ({ state }: SearchedTicket) => state !== 'closed' },
    { rest: `&sort=${sort}&state=closed`, orderedBy, holds: ({ state }: SearchedTicket) => state === 'closed' },
  ];
  return lists.flatMap((list) => [`-${EVERYWHERE}`, `w0 -${EVERYWHERE}`, FROM_HERE_ON].map((q) => ({ q, list })));
});

describe(`a search compared with reading all tickets (seed ${SEED})`, () => {
  const random = randomOf(SEED + 2);
  const searches = Array.from({ length: SEARCHES }, (_, place) => ({
    q: random.search(),
    list: LISTS[place % LISTS.length]!,
  }));

  it.each([...searches, ...AT_EDGES])('finds the same tickets: $q $list.rest', async ({ q, list }) => {
    const wanted = tickets
      .filter((ticket) => !ticket.deleted && list.holds(ticket) && matches(ticket, q))
      .toSorted(list.orderedBy)
      .map(({ number }) => number);

    const path = `/v1/tickets?per_page=50&q=${encodeURIComponent(q)}${list.rest}`;
    const { records, isOver } = await walkPages(desk.client(), path, { maxPages: MAX_PAGES });
    const numbers = records.map(({ number }) => number as number);

    expect(numbers).toEqual(isOver ? wanted : wanted.slice(0, numbers.length));
  });
});
