import { encodeCursor } from '#libs/lists';
import { type FilledAccount, filledAccount } from './filled-account.js';
import type { HttpBench } from './http-bench.js';

const CALLS = {
  newest: () => '/v1/tickets',
  byUpdate: () => '/v1/tickets?sort=-updated_at',
  inbox: () => '/v1/tickets?folder=open&sort=-updated_at',
  closedByUpdate: () => '/v1/tickets?folder=closed&sort=-updated_at',
  byState: () => '/v1/tickets?state=opened',
  byStates: () => '/v1/tickets?state=opened,pending',
  byAssignee: () => '/v1/tickets?assignee=unassigned',
  byMailbox: () => '/v1/tickets?mailbox=Support&sort=-updated_at',
  byTag: () => '/v1/tickets?tag=login',
  byPriority: () => '/v1/tickets?priority=high',
  byCustomer: () => '/v1/tickets?customer=bench7@client.test',
  pageTen: () => '/v1/tickets?page=10',
  middle: (tickets) => `/v1/tickets?sort=number&cursor=${cursorIn(tickets / 2)}`,
  searchOne: () => '/v1/tickets?q=zeppelin',
  searchSome: () => '/v1/tickets?q=warranty',
  searchMany: () => '/v1/tickets?q=password',
  searchTwo: () => '/v1/tickets?q=password%20invoice&per_page=5',
  searchNever: () => '/v1/tickets?q=password%20refund',
  counts: () => '/v1/tickets/count',
} satisfies Record<string, (tickets: number) => string>;

const cursorIn = (number: number): string => encodeCursor({ direction: 'after', sort: 'number', keys: [`${number}`] });

/** The p99 is then the tenth-slowest request, so one pause of the machine does not decide it. */
const REQUESTS = 1000;
/** Per list, so that a slow list does not delay the others. */
const MAX_SECONDS = 8;

interface Latency {
  /** The first request, with empty caches. */
  readonly first: number;
  readonly p50: number;
  readonly p99: number;
}

type Latencies = Readonly<Record<string, Latency>>;

/** The same calls on an account of a thousand tickets and, after the table has grown, on one of a million. */
export async function measureLists(stack: HttpBench, tickets: number) {
  const small = await measure(stack, await filledAccount(stack, 1000));
  const large = await measure(stack, await filledAccount(stack, tickets));
  return Object.fromEntries(
    Object.keys(CALLS).map((name) => {
      const [few, many] = [small[name]!, large[name]!];
      return [name, { few, many, ratioP50: many.p50 / few.p50, ratioP99: many.p99 / few.p99 }];
    }),
  );
}

async function measure(stack: HttpBench, { token, tickets }: FilledAccount): Promise<Latencies> {
  const latencies: Record<string, Latency> = {};
  for (const [name, path] of Object.entries(CALLS)) {
    const request = { method: 'GET', path: path(tickets), headers: { authorization: `Bearer ${token}` } } as const;
    const { p50: first } = await stack.load([request], { concurrency: 1 });
    const times = (count: number) => Array.from({ length: count }, () => request);
    const { p50: usual } = await stack.load(times(30), { concurrency: 1 });
    const count = Math.min(REQUESTS, Math.ceil((MAX_SECONDS * 1000) / usual));
    const { p50, p99 } = await stack.load(times(count), { concurrency: 1 });
    latencies[name] = { first, p50, p99 };
  }
  return latencies;
}
