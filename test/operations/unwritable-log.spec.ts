// @module-tag long
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import { ApiClient } from '#test/support/api-client.js';
import { DIST, ready } from '#test/support/app-process.js';
import { deskForFile } from '#test/support/desk-for-file.js';

/** More log lines than a pipe holds. */
const REQUESTS = 1_500;

const desk = deskForFile();
let child: ChildProcess;
let client: ApiClient;
afterEach(async () => {
  if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
});

async function startApi(script: string, stdio: StdioOptions): Promise<void> {
  const port = await freePort();
  const { PATH = '' } = process.env;
  const main = fileURLToPath(new URL('api.js', DIST));
  child = spawn('sh', ['-c', script, process.execPath, main], {
    env: { PATH, ...desk.environment, LOG_LEVEL: 'info', PORT: `${port}` },
    stdio,
  });
  client = new ApiClient(`http://127.0.0.1:${port}`, desk.account.owner.token);
  await ready(client.base);
}

async function statusesOf(count: number): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let sent = 0; sent < count; sent += 10)
    for (const { status } of await Promise.all(Array.from({ length: 10 }, () => client.get('/v1/me'))))
      statuses.add(status);
  return statuses;
}

it('answers when the log of an API is on a full disk', async () => {
  await startApi('exec "$0" "$1" > /dev/full', 'ignore');

  expect(await statusesOf(20)).toEqual(new Set([200]));
  expect([child.exitCode, child.signalCode]).toEqual([null, null]);
});

it('answers when its log is not read, and stops when told to', async () => {
  await startApi('exec "$0" "$1"', ['ignore', 'pipe', 'ignore']);

  expect(await statusesOf(REQUESTS)).toEqual(new Set([200]));
  child.kill();
  expect(await once(child, 'exit')).toEqual([0, null]);
});
