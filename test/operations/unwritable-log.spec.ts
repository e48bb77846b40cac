import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nonEphemeralPort } from '../faults/campaign/non-ephemeral-port.js';
import { ApiClient } from '../support/api-client.js';
import { DIST, ready } from '../support/app-process.js';
import { type Desk, startDesk } from '../support/desk.js';

let desk: Desk;
let child: ChildProcess;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(async () => {
  child.kill();
  await once(child, 'exit');
  await desk.stop();
});

it('answers when the log of an API is on a full disk', async () => {
  const port = nonEphemeralPort();
  const { PATH = '' } = process.env;
  const main = fileURLToPath(new URL('api.js', DIST));
  child = spawn('sh', ['-c', 'exec "$0" "$1" > /dev/full', process.execPath, main], {
    env: { PATH, ...desk.environment, LOG_LEVEL: 'info', PORT: `${port}` },
    stdio: 'ignore',
  });
  const client = new ApiClient(`http://127.0.0.1:${port}`, desk.account.owner.token);
  await ready(client.base);

  const statuses = [];
  for (let count = 0; count < 20; count++) statuses.push((await client.get('/v1/me')).status);

  expect(new Set(statuses)).toEqual(new Set([200]));
  expect([child.exitCode, child.signalCode]).toEqual([null, null]);
});
