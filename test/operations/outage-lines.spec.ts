// @module-tag long
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import type { AppProcess } from '#test/support/app-process.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import { eventually } from '#test/support/eventually.js';

const desk = deskForFile({ queue: 'redis' });

/** A port without a listener. */
const nowhere = async (): Promise<string> => `127.0.0.1:${await freePort()}`;

const errorsOf = (app: AppProcess): string[] =>
  app
    .output()
    .split('\n')
    .filter((line) => line.includes('"level":"error"') || line.includes('cannot start'));

const isReady = async (port: string): Promise<boolean> => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;

async function startWorker(settings: Readonly<Record<string, string>>): Promise<{ worker: AppProcess; port: string }> {
  const port = String(await freePort());
  return { port, worker: await desk.worker({ LOG_LEVEL: 'info', WORKER_PORT: port, ...settings }) };
}

function withPassword(url: string, password: string): string {
  return Object.assign(new URL(url), { password }).href;
}

async function emptyDatabase(): Promise<string> {
  const name = `unmigrated_${randomUUID().replaceAll('-', '')}`;
  await desk.sql.query(`create database ${name}`);
  const url = new URL(desk.environment['DATABASE_URL']!);
  url.pathname = `/${name}`;
  return url.href;
}

describe.concurrent('a worker', { timeout: 40_000 }, () => {
  it('exits with the name of the setting when Redis refuses the password', async () => {
    const REDIS_URL = withPassword(desk.environment['REDIS_URL']!, 'wrong');
    const { worker } = await startWorker({ REDIS_URL });

    expect(await worker.exited).toBe(1);
    expect(errorsOf(worker).at(-1)).toMatch(/cannot start: Redis refuses the user or password of REDIS_URL/);
    expect(worker.output()).not.toContain('    at ');
    expect(worker.output().length).toBeLessThan(2_000);
  });

  it('fails its readiness and logs one line while Redis is away', async () => {
    const { worker, port } = await startWorker({ REDIS_URL: `redis://${await nowhere()}` });
    await eventually(() => worker.output().includes('the worker is running'), { withinMs: 20_000 });
    const checks = Array.from({ length: 5 }, async () => isReady(port));

    expect(await Promise.all(checks)).toEqual(checks.map(() => false));
    expect(errorsOf(worker)).toHaveLength(1);
    expect(errorsOf(worker)[0]).toContain('Redis does not respond at REDIS_URL');
    await worker.kill9();
  });

  it('logs that PostgreSQL is away, and exits without a stack trace when it does not come back', async () => {
    const { worker } = await startWorker({ DATABASE_URL: `postgres://desk:secret@${await nowhere()}/desk` });

    await eventually(() => errorsOf(worker).length === 1);
    expect(await worker.exited).toBe(1);
    expect(errorsOf(worker)).toHaveLength(2);
    for (const line of errorsOf(worker)) expect(line).toContain('PostgreSQL does not respond at DATABASE_URL');
    expect(worker.output()).not.toContain('    at ');
    expect(worker.output()).not.toContain('secret');
  });

  it('exits with the correction to make when PostgreSQL refuses the password or has no such database', async () => {
    const url = desk.environment['DATABASE_URL']!;
    const { worker } = await startWorker({ DATABASE_URL: withPassword(url, 'wrong') });
    const { worker: other } = await startWorker({
      DATABASE_URL: Object.assign(new URL(url), { pathname: '/nowhere' }).href,
    });

    expect([await worker.exited, await other.exited]).toEqual([1, 1]);
    expect(errorsOf(worker)[0]).toContain('PostgreSQL refuses the user or password of DATABASE_URL');
    expect(errorsOf(other)[0]).toContain('createdb');
    expect(`${worker.output()}${other.output()}`).not.toContain('    at ');
  });
});

describe.concurrent('a worker and an API on a database without migrations', { timeout: 40_000 }, () => {
  it('fail their readiness checks, log one line each with the command to run, and stop when asked', async () => {
    const DATABASE_URL = await emptyDatabase();
    const { worker, port } = await startWorker({ DATABASE_URL });
    const apiPort = String(await freePort());
    const api = desk.unreadyApi({ DATABASE_URL, LOG_LEVEL: 'info', PORT: apiPort });

    for (const app of [worker, api]) {
      const line = await eventually(() => errorsOf(app)[0], { withinMs: 20_000 });
      expect(line).toContain('run `node dist/cli.js migrate up`');
    }
    expect([await isReady(port), await isReady(apiPort)]).toEqual([false, false]);
    expect([errorsOf(worker).length, errorsOf(api).length]).toEqual([1, 1]);
    expect(await Promise.all([worker.stop(), api.stop()])).toEqual([0, 0]);
  });
});
