import { afterAll, expect, it } from 'vitest';
import { nonEphemeralPort } from '../faults/campaign/non-ephemeral-port.js';
import { recordEvents } from '../faults/traffic.js';
import { type Desk, startDesk } from '../support/desk.js';
import { eventually } from '../support/eventually.js';
import { BREAKING, FLOODING, HANGING } from './hell.js';
import { RawServer } from './raw-server.js';

const ATTEMPTS = 2_000;
const MEBIBYTE = 1024 * 1024;
/** With room, garbage is left lying about and looks like a leak; what does not fit in here ends the worker. */
const SMALL = '--max-old-space-size=64 --max-semi-space-size=4';
/** What the heap and its fragments may breathe; an answer kept in memory, or a socket that is not let go, adds up to far more. */
const BREATH_MIB = { heap: 16, rss: 48 };

let desk: Desk | undefined;
const servers: RawServer[] = [];

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await desk?.stop();
});

it(
  `the memory of a worker is flat over ${ATTEMPTS} attempts at receivers from hell`,
  { timeout: 120_000 },
  async () => {
    desk = await startDesk({
      settings: { WEBHOOK_TIMEOUT_MS: '400', WEBHOOK_RETRY_SCHEDULE: Array(30).fill('0.1').join() },
    });
    for (const { serve } of [...HANGING, ...FLOODING, ...BREAKING]) {
      const server = await RawServer.start(serve);
      servers.push(server);
      await desk.webhook('customer_added', server.url());
    }
    const port = nonEphemeralPort();
    await desk.worker({ WORKER_PORT: `${port}`, NODE_OPTIONS: SMALL });
    await recordEvents(desk, 4);

    await attempted(desk, ATTEMPTS / 4);
    const before = await memoryOf(port);
    await attempted(desk, ATTEMPTS / 4 + ATTEMPTS);
    const after = await memoryOf(port);
    const { rows } = await desk.sql.query(
      'select count(distinct webhook_id)::int as webhooks, count(*)::int as count from attempts',
    );
    const { rows: succeeded } = await desk.sql.query('select 1 from attempts where error is null');

    process.stdout.write(
      `worker after ${rows[0].count} attempts at ${rows[0].webhooks} receivers from hell: ${told(before, after)}\n`,
    );
    expect(succeeded).toEqual([]);
    expect(rows[0].webhooks).toBe(servers.length);
    expect(after.heap - before.heap).toBeLessThan(BREATH_MIB.heap);
    expect(after.rss - before.rss).toBeLessThan(BREATH_MIB.rss);
  },
);

async function attempted({ sql }: Desk, count: number): Promise<void> {
  const enough = async () => (await sql.query('select 1 from attempts limit $1', [count])).rowCount === count;
  await eventually(enough, { withinMs: 90_000 });
}

interface Memory {
  readonly rss: number;
  readonly heap: number;
}

/** In MiB. */
async function memoryOf(port: number): Promise<Memory> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const read = (name: string) => Number(new RegExp(`^${name}\\S* (\\S+)$`, 'm').exec(text)?.[1]) / MEBIBYTE;
  return { rss: read('process_resident_memory_bytes'), heap: read('nodejs_heap_size_used_bytes') };
}

const told = (before: Memory, after: Memory): string =>
  (['rss', 'heap'] as const)
    .map((name) => `${name} ${before[name].toFixed(1)} → ${after[name].toFixed(1)} MiB`)
    .join(', ');
