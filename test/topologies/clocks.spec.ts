// @module-tag long
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import { runCli } from '../cli/run.js';
import { arrivals, recordEvents } from '../faults/traffic.js';
import type { AppProcess } from '#test/support/app-process.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import type { Receiver } from '#test/support/receiver.js';
import { unpackedFile } from './support/debian-packages.js';

/** Its C library is not newer than that of any machine on which Node 20 runs. */
const FAKETIME = { suite: 'bookworm', names: ['libfaketime'] };

let library: string;
let desk: Desk;
let receiver: Receiver;

beforeAll(async () => {
  const folder = unpackedFile(FAKETIME, 'usr/lib');
  const file = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .find((name) => name.endsWith('/libfaketime.so.1'))!;
  library = path.join(folder, file);
  desk = await startDesk({ settings: { LOG_LEVEL: 'error' } });
  receiver = await desk.receiver();
  await desk.webhook('customer_added', receiver.url);
}, 120_000);
afterAll(() => desk.stop());

/** Starts a worker on a machine whose clock is ahead. */
const workerAhead = (seconds: number, settings: Readonly<Record<string, string>> = {}): Promise<AppProcess> =>
  desk.worker({
    LD_PRELOAD: library,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME: `${seconds > 0 ? '+' : ''}${seconds}s`,
    ...settings,
  });

const clocksOf = async (): Promise<string[]> => {
  const { out } = await runCli(['doctor'], desk.environment);
  return out.split('\n').filter((line) => / clocks /.test(line));
};

describe('a worker whose clock is off', { timeout: 90_000 }, () => {
  it('works like any other when it is off by seconds, and doctor names it', async () => {
    const [ahead, behind] = [await workerAhead(6), await workerAhead(-6)];
    await eventually(async () => (await knownSkews()).length === 2, { withinMs: 30_000 });

    await recordEvents(desk, 200);
    await receiver.received(200, { withinMs: 40_000 });

    const found = await clocksOf();
    for (const { pid } of [ahead, behind])
      expect(found).toContainEqual(
        expect.stringMatching(new RegExp(`^red .*\\(worker ${pid}\\) differs .* by \\d{4} ms`)),
      );
    await Promise.all([ahead.stop(), behind.stop()]);
    expect(arrivals([receiver])).toEqual({ events: 200, duplicates: 0 });
  });

  it('takes no work when it is off by more than a lease, and logs why', async () => {
    const port = await freePort();
    const off = await workerAhead(15, { WORKER_PORT: `${port}` });
    await eventually(() => off.output().includes('takes no work: set both by NTP'), { withinMs: 30_000 });
    const before = receiver.requests.length;
    await recordEvents(desk, 50);

    const skew = await eventually(async () => {
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      return /^deskwire_clock_skew_seconds\S* (\S+)/m.exec(metrics)?.[1];
    });
    expect(Number(skew)).toBeCloseTo(15, 0);
    expect(receiver.requests.length).toBe(before);

    await desk.worker();
    await receiver.received(before + 50, { withinMs: 40_000 });
    expect(arrivals([receiver]).duplicates).toBe(0);
  });
});

async function knownSkews(): Promise<unknown[]> {
  const { rows } = await desk.sql.query('select from worker_heartbeats where abs(skew_ms) > 2000');
  return rows;
}
