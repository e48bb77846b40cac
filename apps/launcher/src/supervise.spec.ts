import { describe, expect, it } from 'vitest';
import { eventually } from '#test/support/eventually.js';
import { type Restartable, decideRestart, keepRunning } from './supervise.js';

function endedServer(hasRoom: () => boolean) {
  const log = { restarts: 0, hasStarted: false };
  const program = { name: 'PostgreSQL', log: 'postgres.log' } as Restartable['running']['program'];
  const server = {
    running: { program, exited: Promise.resolve({ code: 1, signal: null }) } as unknown as Restartable['running'],
    restart: () => {
      log.restarts += 1;
      if (!hasRoom()) return Promise.reject(new Error('It did not start.'));
      server.running = { program, exited: new Promise(() => undefined) } as unknown as Restartable['running'];
      log.hasStarted = true;
      return Promise.resolve();
    },
  };
  return { server, log };
}

it('restarts a server that cannot start on a full disk once there is room', async () => {
  let looks = 0;
  const { server, log } = endedServer(() => looks > 3);
  void keepRunning(server, { processes: { closed: false }, isDiskFull: () => ++looks <= 3 });
  await eventually(() => log.hasStarted);

  expect(log.restarts).toBe(2);
});

it('ends the product when a server cannot start for another reason', async () => {
  const { server, log } = endedServer(() => false);
  const kept = keepRunning(server, { processes: { closed: false }, isDiskFull: () => false });

  await expect(kept).rejects.toThrow('It did not start.');
  expect(log.restarts).toBe(1);
});

describe('decideRestart', () => {
  it.each([
    { quickFailures: 0, livedMs: 100, next: { restartInMs: 500, quickFailures: 1 } },
    { quickFailures: 1, livedMs: 100, next: { restartInMs: 1000, quickFailures: 2 } },
    { quickFailures: 3, livedMs: 29_999, next: { restartInMs: 4000, quickFailures: 4 } },
    { quickFailures: 4, livedMs: 100, next: 'give up' },
    { quickFailures: 4, livedMs: 30_000, next: { restartInMs: 500, quickFailures: 1 } },
  ])('returns $next after $quickFailures quick failures and $livedMs ms', ({ quickFailures, livedMs, next }) => {
    expect(decideRestart(quickFailures, livedMs)).toEqual(next);
  });
});
