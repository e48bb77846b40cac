// @module-tag long
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiClient } from '#test/support/api-client.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { sessionCookie } from '#test/support/live-stream.js';
import { type PrivateServer, startServer } from '#test/support/servers.js';
import { recordEvents } from './traffic.js';

const GRACE_MS = 3_000;
/** The last moment of a process, and the time to notice it on a busy machine. */
const TOLERANCE_MS = 2_500;

let postgres: PrivateServer;
let redis: PrivateServer;
let desk: Desk;
beforeAll(async () => {
  [postgres, redis] = await Promise.all([startServer('postgres'), startServer('redis')]);
  desk = await startDesk({
    databaseServer: postgres.url,
    redisUrl: redis.url,
    settings: { SHUTDOWN_GRACE_MS: `${GRACE_MS}`, WEBHOOK_TIMEOUT_MS: '60000' },
  });
});
afterAll(async () => {
  await desk.stop();
  await Promise.all([postgres.stop(), redis.stop()]);
});

it.each([
  ['Redis stands still', async () => redis.pause(GRACE_MS + 2_000)],
  ['PostgreSQL is gone', async () => postgres.kill9().then(() => () => postgres.restart())],
])('stops worker and API in time with exit code 0 while %s', { timeout: 60_000 }, async (_name, strike) => {
  const receiver = await desk.receiver({ replies: [{ status: 204, afterMs: 30_000 }] });
  await desk.webhook('customer_added', receiver.url);
  const [worker, api] = await Promise.all([desk.worker(), desk.apiProcess()]);
  const headers = { cookie: await sessionCookie(desk) };
  const stream = await fetch(`${api.base}/live?watch=tickets`, { headers });
  const ended = stream.text().catch(() => undefined);
  await recordEvents(desk, 20);
  await receiver.received(1);
  const struck = strike();
  const call = new ApiClient(api.base, desk.account.owner.token).get('/v1/tickets').catch(() => undefined);
  const begun = performance.now();
  const codes = await Promise.all([worker.stop(), api.stop()]);
  const tookMs = performance.now() - begun;
  process.stdout.write(`${expect.getState().currentTestName}: ${Math.round(tookMs)} ms\n`);
  await Promise.all([call, ended]);
  const undo = await struck;
  await undo?.();

  expect(codes).toEqual([0, 0]);
  expect(tookMs).toBeLessThan(GRACE_MS + TOLERANCE_MS);
});
