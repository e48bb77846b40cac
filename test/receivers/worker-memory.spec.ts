// @module-tag long
import { expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import { recordEvents } from '../faults/traffic.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import { type ProcessMemory, readMemory } from '#test/support/process-memory.js';
import { BREAKING, FLOODING, HANGING } from './hell.js';
import { RawServer } from './raw-server.js';

const ATTEMPTS = 2_000;
const MEBIBYTE = 1024 * 1024;
/** With more room, garbage accumulates and looks like a leak; a real leak exceeds this and ends the worker. */
const SMALL = '--max-old-space-size=64 --max-semi-space-size=4';
/** Room for the heap and its fragmentation. Answers or sockets that leak would take far more. */
const BREATH = { heap: 16 * MEBIBYTE, resident: 48 * MEBIBYTE };

it(
  `keeps the memory of a worker flat over ${ATTEMPTS} attempts at misbehaving receivers`,
  { timeout: 120_000 },
  async () => {
    const desk = await startDesk({
      settings: { WEBHOOK_TIMEOUT_MS: '400', WEBHOOK_RETRY_SCHEDULE: Array(30).fill('0.1').join() },
    });
    onTestFinished(() => desk.stop());
    const hells = [...HANGING, ...FLOODING, ...BREAKING];
    for (const { serve } of hells) await desk.webhook('customer_added', (await RawServer.start(serve)).url());
    const port = await freePort();
    const base = `http://127.0.0.1:${port}`;
    await desk.worker({ WORKER_PORT: `${port}`, NODE_OPTIONS: SMALL });
    await recordEvents(desk, 4);

    await attempted(desk, ATTEMPTS / 4);
    const before = await readMemory(base);
    await attempted(desk, ATTEMPTS / 4 + ATTEMPTS);
    const after = await readMemory(base);
    const { rows } = await desk.sql.query(
      'select count(distinct webhook_id)::int as webhooks, count(*)::int as count from attempts',
    );
    const { rows: succeeded } = await desk.sql.query('select 1 from attempts where error is null');

    process.stdout.write(
      `worker after ${rows[0].count} attempts at ${rows[0].webhooks} receivers from hell: ${told(before, after)}\n`,
    );
    expect(succeeded).toEqual([]);
    expect(rows[0].webhooks).toBe(hells.length);
    expect(after.heap - before.heap).toBeLessThan(BREATH.heap);
    expect(after.resident - before.resident).toBeLessThan(BREATH.resident);
  },
);

async function attempted({ sql }: Desk, count: number): Promise<void> {
  const enough = async () => (await sql.query('select 1 from attempts limit $1', [count])).rowCount === count;
  await eventually(enough, { withinMs: 90_000 });
}

const mib = (bytes: number): string => (bytes / MEBIBYTE).toFixed(1);

const told = (before: ProcessMemory, after: ProcessMemory): string =>
  (['resident', 'heap'] as const).map((name) => `${name} ${mib(before[name])} → ${mib(after[name])} MiB`).join(', ');
