// @module-tag long
import { beforeAll, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import type { AppProcess } from '#test/support/app-process.js';
import { eventually } from '#test/support/eventually.js';
import { type ProcessMemory, readMemory } from '#test/support/process-memory.js';
import { LivenessProbe } from '../fuzz/liveness.js';
import { latencyText } from '../fuzz/report.js';
import { HostileCrowd } from './hostile-clients.js';

const MIB = 1024 * 1024;
const SLOW = { slowHeaders: 170, halfBodies: 170, deafReaders: 160 };
const CROWD = { ...SLOW, uploads: 50, streams: 500, signIns: 100, problems: 20 };

/** Runs with the deadlines of production on its own machine, or with short ones next to other tests. */
const IS_FULL = process.env['HOSTILE_CLIENTS'] === 'full';
const MAX_ANSWER_MS = IS_FULL ? 1000 : 15_000;
const SHORT_DEADLINES = { HEADERS_TIMEOUT_MS: '3000', BODY_TIMEOUT_MS: '3000', STALL_TIMEOUT_MS: '3000' };
/** Room for caches and compiled code. A kilobyte per client is noise; what a thousand clients send or read is not. */
const BREATH_BYTES = 16 * MIB;

const desk = deskForFile();
let api: AppProcess;
beforeAll(async () => {
  api = await desk.apiProcess({
    NODE_OPTIONS: `--max-old-space-size=256 --import=${new URL('../../dist/test/faults/collect-garbage.js', import.meta.url).href}`,
    // Each stream is held open, not refused.
    LIVE_STREAMS_PER_AGENT: '500',
    LIVE_STREAMS_PER_ACCOUNT: '500',
    ...(!IS_FULL && SHORT_DEADLINES),
  });
});

it('serves other clients while a thousand clients hold all that they can get', { timeout: 180_000 }, async () => {
  const crowd = new HostileCrowd(desk, api);
  await crowd.prepare();
  const before = await readMemory(api.base);
  const others = new LivenessProbe({ base: api.base, pid: api.pid, connections: 'new' });

  crowd.come(CROWD);
  const statuses = await crowd.answered();
  await eventually(() => crowd.stillHeld === 0, { withinMs: 60_000 });
  const during = await readMemory(api.base);
  crowd.leave();
  const { waited, charged, refused } = await others.stop();
  const after = await eventually(
    async () => {
      api.signal('SIGUSR2');
      const now = await readMemory(api.base);
      return now.held < before.held + BREATH_BYTES && now;
    },
    { withinMs: 60_000 },
  );

  process.stdout.write(
    `API under ${Object.values(CROWD).reduce((sum, count) => sum + count)} hostile clients: ${told({ before, during, after })}; ` +
      `/healthz ${latencyText(waited)}; without waiting for a core: ${latencyText(charged)}\n`,
  );
  // While 160 large responses are read, a sign-in may wait too long for the database.
  expect(statuses.filter((status) => ![401, 422, 429, 503].includes(status))).toEqual([]);
  expect(refused).toBe(0);
  expect(IS_FULL ? waited.worst : charged.worst).toBeLessThan(MAX_ANSWER_MS);
});

const told = (times: Readonly<Record<string, ProcessMemory>>): string =>
  Object.entries(times)
    .map(([when, { held, resident }]) => `${when} ${Math.round(held / MIB)} MiB (rss ${Math.round(resident / MIB)})`)
    .join(', ');
