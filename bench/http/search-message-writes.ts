import { seedAccount } from '#test/support/seed.js';
import { TICKETS } from './filled-account.js';
import type { HttpBench } from './http-bench.js';
import { hanOf, wordsOf } from './searched-account.js';

const ROUNDS = 15;
const MESSAGES = 150;
const TICKETS_WRITTEN_TO = 50;

const TEXTS: Readonly<Record<string, (number: number) => string>> = {
  'twelve words': (number) => wordsOf(number).join(' '),
  'a hundred words': (number) =>
    Array.from({ length: 9 }, (_, place) => wordsOf(number * 9 + place).join(' ')).join('. '),
  'two hundred signs': (number) => Array.from({ length: 14 }, (_, place) => hanOf(number * 14 + place)).join('、'),
};

/** Words that are not stored cost nothing in PostgreSQL. The API still splits them, in about 30 microseconds. */
const LEAVE_OUT = `
  create or replace function bench_leave_out() returns trigger language plpgsql as 'begin return null; end';
  create or replace trigger bench_leave_out before insert on ticket_words for each row execute function bench_leave_out();
  alter table ticket_words disable trigger bench_leave_out`;

/** Cost of a message over HTTP with and without the word index, alternating. Median milliseconds of the rounds. */
export async function measureMessageWrites(stack: HttpBench): Promise<object> {
  const { sql } = stack;
  const account = await seedAccount(sql, { name: 'messages' });
  await sql.query(
    `insert into customers (id, account_id, email, created_at, updated_at)
     values (new_uuid_at(now()), $1, 'messages@client.test', now(), now())`,
    [account.id],
  );
  await sql.query(TICKETS, [account.id, TICKETS_WRITTEN_TO, account.mailbox.id, account.owner.id]);
  await sql.query('update accounts set last_ticket_number = $2 where id = $1', [account.id, TICKETS_WRITTEN_TO]);
  await sql.query(LEAVE_OUT);
  try {
    const measured: Record<string, object> = {};
    for (const [name, textOf] of Object.entries(TEXTS))
      measured[name] = await compare(stack, account.owner.token, textOf);
    return measured;
  } finally {
    await sql.query('drop trigger bench_leave_out on ticket_words; drop function bench_leave_out');
  }
}

async function compare(stack: HttpBench, token: string, textOf: (number: number) => string): Promise<object> {
  const times = { with: [] as number[], without: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++)
    for (const way of round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
      await stack.sql.query(
        `alter table ticket_words ${way === 'with' ? 'disable' : 'enable'} trigger bench_leave_out`,
      );
      const ms = await write(stack, token, (number) => textOf(round * MESSAGES + number));
      if (round > 0) times[way].push(ms);
    }
  const [indexed, bare] = [middle(times.with), middle(times.without)];
  return { withIndexMs: indexed, withoutMs: bare, ratio: indexed / bare };
}

async function write(stack: HttpBench, token: string, textOf: (number: number) => string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const requests = Array.from({ length: MESSAGES }, (_, number) => ({
    method: 'POST' as const,
    path: `/v1/tickets/${1 + (number % TICKETS_WRITTEN_TO)}/messages`,
    headers,
    body: JSON.stringify({ body: textOf(number) }),
  }));
  return (await stack.load(requests, { concurrency: 1 })).p50;
}

const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
