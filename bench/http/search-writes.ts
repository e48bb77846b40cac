import { wordVector } from '#libs/tickets';
import { seedAccount } from '#test/support/seed.js';
import { TICKETS } from './filled-account.js';
import type { HttpBench } from './http-bench.js';
import { hanOf, wordsOf } from './searched-account.js';

const ROUNDS = 7;
const ROWS = 400;

const TEXTS: Readonly<Record<string, (number: number) => string>> = {
  'a hundred words': (number) =>
    Array.from({ length: 9 }, (_, place) => wordsOf(number * 9 + place).join(' ')).join('. '),
  'two hundred signs': (number) => Array.from({ length: 14 }, (_, place) => hanOf(number * 14 + place)).join('、'),
};

const CUT_IN_SQL = "array_to_tsvector(account_words($1, tsvector_to_array(to_tsvector('simple', $3))))";

/** Milliseconds to split the words of a message in PostgreSQL and in the API, alternating. */
const WAYS = {
  before: { value: (_account: string, text: string) => text, words: CUT_IN_SQL },
  after: { value: wordVector, words: '$3::tsvector' },
} as const;

export async function measureWrites({ sql }: HttpBench): Promise<object> {
  const account = await seedAccount(sql, { name: 'writes' });
  await sql.query(
    `insert into customers (id, account_id, email, created_at, updated_at)
     values (new_uuid_at(now()), $1, 'writes@client.test', now(), now())`,
    [account.id],
  );
  await sql.query(TICKETS, [account.id, 1, account.mailbox.id, account.owner.id]);
  const { rows } = await sql.query<{ id: string }>('select id from tickets where account_id = $1', [account.id]);
  const measured: Record<string, object> = {};
  for (const [name, textOf] of Object.entries(TEXTS)) {
    const times = { before: [] as number[], after: [] as number[] };
    for (let round = 0; round <= ROUNDS; round++)
      for (const way of ['before', 'after'] as const) {
        const ms = await write(sql, { way, account: account.id, ticket: rows[0]!.id, texts: textsOf(textOf, round) });
        if (round > 0) times[way].push(ms);
      }
    const [before, after] = [middle(times.before), middle(times.after)];
    measured[name] = { beforeMs: before, afterMs: after, ratio: after / before };
  }
  return measured;
}

const textsOf = (textOf: (number: number) => string, round: number): string[] =>
  Array.from({ length: ROWS }, (_, place) => textOf(1 + round * ROWS + place));

interface Writes {
  readonly way: keyof typeof WAYS;
  readonly account: string;
  readonly ticket: string;
  readonly texts: readonly string[];
}

async function write(sql: HttpBench['sql'], { way, account, ticket, texts }: Writes): Promise<number> {
  const { value, words } = WAYS[way];
  const text = `insert into ticket_words (ticket_id, source_id, account_id, words)
    values ($2, new_uuid_at(now()), $1, ${words})`;
  const started = performance.now();
  for (const one of texts)
    await sql.query({ name: `bench_words_${way}`, text, values: [account, ticket, value(account, one)] });
  return (performance.now() - started) / texts.length;
}

const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
