import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Desk, startDesk } from '../support/desk.js';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

it('an API that is asked to stop exits with code 0', async () => {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, ['dist/apps/api/src/main.js'], {
    env: { PATH, ...desk.environment, PORT: '0', LOG_LEVEL: 'debug' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('started')) break;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');

  expect(await ended).toEqual([0, null]);
});
