import type { Client } from 'pg';
import { BenchSetup } from './delivery/bench-setup.js';
import { type Contestant, measureAccepting, warmUp } from './one/contestant.js';
import { startArrivals } from './one/first-seconds.js';
import { Product } from './one/product.js';

const ROUNDS = 6;
const REQUESTS = 1_500;

/** Compares a note for one webhook with a note for many filtered webhooks, none of which matches, and with one for none. */
export async function measureFilters(webhooks: number, say: (line: string) => void): Promise<object> {
  const setup = await BenchSetup.open();
  try {
    const arrivalsAt = await startArrivals(setup);
    const product = await Product.start(setup, arrivalsAt, { environment: { CATCH_MAIL: '1' } });
    const contestants = {
      none: await product.writers('note'),
      one: await product.writers('note'),
      filtered: await product.writers('note'),
    };
    await filterWebhooks(setup.sql, webhooks);
    const costs: Record<string, number[]> = { none: [], one: [], filtered: [] };
    await warmUp(contestants.one);
    for (let round = 0; round < ROUNDS; round++)
      for (const [name, contestant] of Object.entries(contestants)) {
        say(`${name} …`);
        costs[name]!.push(await costOf(contestant));
      }
    await product.stop();
    const cpuMs = Object.fromEntries(Object.entries(costs).map(([name, each]) => [name, median(each)]));
    return {
      webhooks,
      cpuMs,
      ratio: cpuMs['filtered']! / cpuMs['one']!,
      ratioToNone: cpuMs['filtered']! / cpuMs['none']!,
    };
  } finally {
    await setup.close();
  }
}

/** The account of the last webhook gets filtered ones, and that of the first none. */
async function filterWebhooks(sql: Client, webhooks: number): Promise<void> {
  await sql.query('delete from webhooks where id = (select id from webhooks order by id limit 1)');
  await sql.query(
    `with last as (
       update webhooks set filter = 'tag:vip tag:never is:opened', filter_all = '{tag:vip,tag:never,is:opened}', filter_none = '{priority:low}'
       where id = (select id from webhooks order by id desc limit 1) returning *
     )
     insert into webhooks (id, account_id, event, url, state, filter, filter_all, filter_none, created_at, updated_at)
     select gen_random_uuid(), account_id, event, url || '?' || n, state, filter, filter_all, filter_none, now(), now()
     from last, generate_series(2, $1) n`,
    [webhooks],
  );
  await sql.query('analyze webhooks');
}

/** The API and PostgreSQL, in milliseconds for each note. */
async function costOf(contestant: Contestant): Promise<number> {
  const { cpuMs } = await measureAccepting(contestant, REQUESTS);
  return cpuMs['api']! + cpuMs['postgresql']!;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
