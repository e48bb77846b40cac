// @module-tag long
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canAccess, serverUser } from '../../apps/launcher/src/system-user.js';
import { eventually } from '#test/support/eventually.js';
import { startServer } from '#test/support/servers.js';
import { Launched, ROOT } from './launched.js';
import { standInProject, type StandInProject } from './stand-in-project.js';

const SHOW = ['--', process.execPath, '-e', 'console.log(`url ${process.env.DATABASE_URL} of ${process.getuid()}`)'];
const WAIT = ['--', process.execPath, '-e', 'console.log("waiting"); setInterval(() => undefined, 60_000)'];

describe('the ephemeral servers', () => {
  let project: StandInProject;

  beforeAll(async () => {
    project = await standInProject();
  });

  afterAll(() => project.remove());

  const run = (words: string[], options: Partial<Parameters<typeof Launched.start>[1]> = {}) =>
    Launched.start(['run', '--ephemeral', ...words], { ...project, ...options });

  it('belong to one run each', async () => {
    const runs = [run(SHOW), run(SHOW)];

    expect(await Promise.all(runs.map(({ ended }) => ended))).toEqual([0, 0]);
    const urls = runs.map(({ output }) => /url (postgres\S+)/.exec(output)?.[1]);
    expect(urls[0]).toContain('127.0.0.1');
    expect(urls[0]).not.toBe(urls[1]);
  });

  it('start in development, with a key of that run', async () => {
    const show = ['--', process.execPath, '-e', 'console.log(`${process.env.NODE_ENV} ${process.env.SECRETS_KEY}`)'];
    const runs = [run(['--no-redis', ...show]), run(['--no-redis', ...show])];
    await Promise.all(runs.map(({ ended }) => ended));

    const [first, second] = runs.map(({ output }) => /^development (local:.{44})$/m.exec(output)?.[1]);
    expect(first).toBeDefined();
    expect(second).toBeDefined();
    expect(first).not.toBe(second);
  });

  it('log errors, but no value of a row when they are as durable as a desk’s servers', async () => {
    const fail = `
      import fs from 'node:fs';
      import path from 'node:path';
      import { createRequire } from 'node:module';
      const { Client } = createRequire('${ROOT}/package.json')('pg');
      const client = new Client(process.env.DATABASE_URL);
      await client.connect();
      await client.query('create table people (email text unique)');
      const add = () => client.query('insert into people values ($1)', ['ada@secret.example']);
      await add();
      await add().catch(() => undefined);
      await client.end();
      console.log(fs.readFileSync(path.join(process.env.DATA_DIR, 'logs/postgres.log'), 'utf8'));`;
    const launched = run(['--no-redis', '--durable', '--', process.execPath, '--input-type=module', '-e', fail]);

    expect(await launched.ended).toBe(0);
    expect(launched.output).toContain('duplicate key value violates unique constraint');
    expect(launched.output).not.toContain('ada@secret.example');
  });

  it('preserve the exit code of the command', async () => {
    expect(await run(['--no-redis', '--', process.execPath, '-e', 'process.exit(3)']).ended).toBe(3);
  });

  it('disappear with their folder after Ctrl-C', async () => {
    const temporary = privateTemporaryFolder();
    const launched = run(['--no-redis', ...WAIT], { environment: { TMPDIR: temporary } });
    await launched.says('waiting');
    expect(fs.readdirSync(temporary)).toHaveLength(1);

    expect(await launched.interrupt()).toBe(130);
    expect(fs.readdirSync(temporary)).toEqual([]);
    fs.rmSync(temporary, { recursive: true });
  });

  it('disappear with their folder after the launcher was killed', async () => {
    const temporary = privateTemporaryFolder();
    const launched = run(['--no-redis', ...WAIT], { environment: { TMPDIR: temporary } });
    await launched.says('waiting');
    await launched.kill9();

    expect(await eventually(() => fs.readdirSync(temporary).length === 0, { withinMs: 20_000 })).toBe(true);
    fs.rmSync(temporary, { recursive: true });
  });

  it('work for a user without privileges', async () => {
    const temporary = privateTemporaryFolder();
    const account = serverUser();
    // Other accounts cannot enter a checkout in root’s home.
    const other = account && canAccess(ROOT, account) ? account : undefined;
    if (other) fs.chownSync(temporary, other.uid, other.gid);
    const environment = { TMPDIR: temporary, HOME: temporary, DATA_DIR: path.join(temporary, 'data') };
    const launched = run(['--no-redis', ...SHOW], { environment, ...(other && { account: other }) });

    expect(await launched.ended).toBe(0);
    expect(launched.output).toContain(` of ${other?.uid ?? process.getuid?.()}`);
    fs.rmSync(temporary, { recursive: true });
  });
});

describe('a server spawned for one test', () => {
  it('keeps data committed by PostgreSQL, and its address, over kill -9 and restart', async () => {
    const server = await startServer('postgres');
    await query(server.url, 'create table kept as select 1');
    await server.kill9();
    await expect(query(server.url, 'select 1')).rejects.toThrow('ECONNREFUSED');

    await server.restart();
    expect(await query(server.url, 'select * from kept')).toHaveLength(1);
    await server.stop();
  });

  it('does not answer while it is paused', async () => {
    const server = await startServer('redis');
    const redis = new Redis(server.url);
    await redis.ping();
    const pauseMs = 300;
    const pause = server.pause(pauseMs);
    const begun = Date.now();
    await pause;

    expect(await redis.ping()).toBe('PONG');
    expect(Date.now() - begun).toBeGreaterThanOrEqual(pauseMs - 50);
    redis.disconnect();
    await server.stop();
  });
});

function privateTemporaryFolder(): string {
  const folder = path.join(os.tmpdir(), `deskwire-temporary-${randomBytes(6).toString('hex')}`);
  fs.mkdirSync(folder, { mode: 0o755 });
  return folder;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
