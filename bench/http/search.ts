import { HttpBench } from './http-bench.js';
import { type Costs, askOneByOne } from './one-by-one.js';
import { type SearchedAccount, hanOf, nameOf, searchedAccount, wordsOf } from './searched-account.js';
import { measureMessageWrites } from './search-message-writes.js';
import { measureWrites } from './search-writes.js';

const FEW = 10_000;
/** Each search differs, so none is answered from a cache. */
const SEARCHES = 150;
const ROUNDS = 3;

/** Typical searches, each with an existing ticket as a match. */
const SEARCHES_BY_KIND: Readonly<Record<string, (number: number) => string>> = {
  words: (number) => wordsOf(number)[0]!,
  pairs: (number) => wordsOf(number).slice(0, 2).join(' '),
  triples: (number) => wordsOf(number).slice(2, 5).join(' '),
  names: (number) => nameOf(Math.ceil(number / 20)),
  'from a name': (number) => `from:${nameOf(Math.ceil(number / 20)).split(' ')[1]}`,
  numbers: (number) => `#${number}`,
  'numbers as words': (number) => `${number}`,
  'two signs': (number) => hanOf(number).slice(3, 5),
  'four signs': (number) => hanOf(number).slice(3, 7),
  'nothing found': (number) => `zz${number}`,
};

/**
 * Compares the same searches in an account of ten thousand tickets and in a large one, alternating, and the cost of
 * writing the words.
 */
export async function measureSearch(tickets: number, say: (line: string) => void): Promise<object> {
  const stack = await HttpBench.start();
  try {
    say('ten thousand tickets …');
    const few = await searchedAccount(stack, FEW);
    say(`${tickets.toLocaleString('en')} tickets …`);
    const many = await searchedAccount(stack, tickets);
    const searches: Record<string, object> = {};
    for (const [name, search] of Object.entries(SEARCHES_BY_KIND)) {
      say(`${name} …`);
      searches[name] = await compare(stack, { few, many }, search);
    }
    say('writes …');
    const messages = await measureMessageWrites(stack);
    return { few: FEW, many: tickets, searches, writes: await measureWrites(stack), messages };
  } finally {
    await stack.stop();
  }
}

async function compare(
  stack: HttpBench,
  { few, many }: { few: SearchedAccount; many: SearchedAccount },
  search: (number: number) => string,
): Promise<object> {
  const small: Costs[] = [];
  const large: Costs[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    small.push(await measure(stack, few, search, round));
    large.push(await measure(stack, many, search, round));
  }
  const [a, b] = [middle(small), middle(large)];
  return {
    few: a,
    many: b,
    ratioP50: b.p50 / a.p50,
    ratioP99: b.p99 / a.p99,
    ratioCpuP50: b.cpuP50 / a.cpuP50,
    ratioCpuP99: b.cpuP99 / a.cpuP99,
  };
}

async function measure(
  stack: HttpBench,
  { tickets, token }: SearchedAccount,
  search: (number: number) => string,
  round: number,
): Promise<Costs> {
  const requests = Array.from({ length: SEARCHES }, (_, place) => {
    const number = 1 + (((round * SEARCHES + place + 1) * 7_919) % tickets);
    const path = `/v1/tickets?sort=-updated_at&q=${encodeURIComponent(search(number))}`;
    return { method: 'GET', path, headers: { authorization: `Bearer ${token}` } } as const;
  });
  return askOneByOne(stack, requests);
}

function middle(rounds: readonly Costs[]): Costs {
  const of = (pick: (one: Costs) => number): number => rounds.map(pick).toSorted((a, b) => a - b)[rounds.length >> 1]!;
  return {
    p50: of(({ p50 }) => p50),
    p99: of(({ p99 }) => p99),
    cpuP50: of(({ cpuP50 }) => cpuP50),
    cpuP99: of(({ cpuP99 }) => cpuP99),
  };
}
