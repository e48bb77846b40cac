import { createHash, randomBytes } from 'node:crypto';
import { request } from 'undici';
import { filledAccount } from './filled-account.js';
import { HttpBench } from './http-bench.js';

const FEW = 1000;

const PAGES = {
  inbox: '/inbox',
  open: '/inbox?folder=open',
  closed: '/inbox?folder=closed',
  mine: '/inbox?folder=mine',
  tagged: '/inbox?folder=open&tag=login',
  search: '/inbox?folder=open&q=password',
  ticket: '/tickets/500?folder=open',
} as const;

/** Alternates, so that other load on the machine affects both. */
const ROUNDS = 5;
const REQUESTS = 60;

interface ConsoleAccount {
  readonly cookie: string;
  readonly times: Record<string, number[]>;
}

/** Pages of an account of a thousand tickets and of a large account, in the same database. */
export async function measureConsole(tickets: number, say: (line: string) => void): Promise<object> {
  const stack = await HttpBench.start();
  try {
    const few = await signedIn(stack, FEW);
    const many = await signedIn(stack, tickets);
    for (let round = 0; round <= ROUNDS; round++) {
      say(round === 0 ? 'warming up …' : `pages, round ${round} of ${ROUNDS} …`);
      for (const account of [few, many]) await measure(stack, account, round > 0);
    }
    return { few: FEW, many: tickets, pages: await report(stack, few, many) };
  } finally {
    await stack.stop();
  }
}

async function measure(stack: HttpBench, { cookie, times }: ConsoleAccount, counts: boolean): Promise<void> {
  for (const [name, path] of Object.entries(PAGES)) {
    const page = { method: 'GET', path, headers: { cookie, 'accept-encoding': 'gzip' } } as const;
    const { p50 } = await stack.load(
      Array.from({ length: REQUESTS }, () => page),
      { concurrency: 1 },
    );
    if (counts) (times[name] ??= []).push(p50);
  }
}

async function report(stack: HttpBench, few: ConsoleAccount, many: ConsoleAccount): Promise<object> {
  const pages: Record<string, object> = {};
  for (const [name, path] of Object.entries(PAGES)) {
    const [small, large] = [median(few.times[name]!), median(many.times[name]!)];
    const bytes = await compressed(stack, path, many.cookie);
    pages[name] = { fewMs: small, manyMs: large, ratio: large / small, bytes };
  }
  return pages;
}

/** Bytes on the wire. */
async function compressed(stack: HttpBench, path: string, cookie: string): Promise<number> {
  const answer = await request(new URL(path, stack.base), { headers: { cookie, 'accept-encoding': 'gzip' } });
  return (await answer.body.arrayBuffer()).byteLength;
}

/** A browser signed in as the owner of a new account. */
async function signedIn(stack: HttpBench, tickets: number): Promise<ConsoleAccount> {
  const { token } = await filledAccount(stack, tickets);
  const session = randomBytes(32).toString('base64url');
  await stack.sql.query(
    `insert into sessions (id, hash, account_id, agent_id, user_agent, address, created_at, last_seen_at, expires_at)
     select gen_random_uuid(), $2, g.account_id, g.agent_id, 'bench', '127.0.0.1', now(), now(), now() + interval '1 day'
     from tokens t join grants g on g.id = t.grant_id where t.hash = $1`,
    [digest(token), digest(session)],
  );
  return { cookie: `deskwire-session=${session}`, times: {} };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
