// @module-tag long
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '#test/support/eventually.js';
import { isAlive } from '../../apps/launcher/src/process-registry.js';
import { Launched, processesOf } from './launched.js';
import { standInProject, type StandInProject } from './stand-in-project.js';
import { watchdogOf } from './process-table.js';

describe('npm start', () => {
  let project: StandInProject;
  let started: Launched[] = [];

  beforeEach(async () => {
    project = await standInProject();
    started = [];
  });

  afterEach(async () => {
    await Promise.all(started.map((launched) => launched.interrupt()));
    project.remove();
  });

  const start = (environment: Record<string, string> = {}) => {
    const launched = Launched.start(['start'], { ...project, environment: { ...project.environment, ...environment } });
    started.push(launched);
    return launched;
  };

  it('shows the credentials and the next commands on the first start only', async () => {
    const first = start();
    await first.says('is ready');
    await first.interrupt();

    expect(first.output).toContain('the-password');
    expect(first.output).toContain('\nnpm run receiver\n');
    expect(first.output.match(/^curl .*the-token/gm)).toHaveLength(2);
    const file = path.join(project.dataDir, 'first-run.json');
    const { smtp_url: smtpUrl } = JSON.parse(fs.readFileSync(file, 'utf8')) as { smtp_url: string };
    expect(smtpUrl).toMatch(/^smtp:\/\/127\.0\.0\.1:\d+$/);
    expect(first.output).toContain(`Mail for mailboxes is accepted at ${smtpUrl}`);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);

    const second = start();
    await second.says('is ready');
    expect(second.output).not.toContain('the-token');
  });

  it('ends with code 0 on Ctrl-C, apps first, and leaves nothing running', async () => {
    const launched = start();
    await launched.says('is ready');
    const processes = processesOf(project.dataDir);

    expect(await launched.interrupt()).toBe(0);
    expect(processes.map(({ name }) => name)).toEqual(expect.arrayContaining(['PostgreSQL', 'api', 'worker']));
    expect(processes.filter(isAlive)).toEqual([]);
    expect(fs.readFileSync(path.join(project.folder, 'drained'), 'utf8')).toBe('database still there');
  });

  it('names the temporary folder of ephemeral servers', async () => {
    const launched = Launched.start(['start', '--ephemeral', '--no-redis'], project);
    started.push(launched);
    await launched.says('is ready');

    const named = /^Data and logs: (.+)$/m.exec(launched.output)?.[1] ?? '';
    expect(fs.readdirSync(named)).toEqual(expect.arrayContaining(['first-run.json', 'logs']));
    expect(await launched.interrupt()).toBe(0);
    expect(fs.existsSync(named)).toBe(false);
  });

  it('refuses a busy port before it starts anything', async () => {
    const other = net.createServer().listen(project.port, '127.0.0.1');
    await once(other, 'listening');
    const launched = start();

    expect(await launched.ended).toBe(1);
    expect(launched.output).toContain(`PORT=${project.port + 1} npm start`);
    expect(launched.output).not.toContain('PostgreSQL');
    other.close();
  });

  it('ends with the reason when an app cannot start at all', async () => {
    const launched = start({ WORKER_FAILS: 'yes' });

    expect(await launched.ended).toBe(1);
    expect(launched.output).toMatch(/the worker ended with code 9\. Its log ends with\n {4}the reason why/);
  });

  it('leaves nothing running when it is killed, and starts again', async () => {
    const first = start();
    await first.says('is ready');
    const processes = processesOf(project.dataDir);
    await first.kill9();

    await eventually(() => !processes.some(isAlive), { withinMs: 20_000 });
    const second = start();
    await second.says('is ready');
    expect(second.output).not.toContain('left-over');
  });

  it('stops the processes left by a start that was killed with its watchdog', async () => {
    const first = start();
    await first.says('is ready');
    const processes = processesOf(project.dataDir);
    process.kill(watchdogOf(first.pid), 'SIGKILL');
    await first.kill9();
    expect(processes.filter(isAlive)).toEqual(processes);

    const second = start();
    await second.says('is ready');
    expect(second.output).toContain('stopping a left-over PostgreSQL');
    expect(processes.filter(isAlive)).toEqual([]);
  });
});

describe('a running start', () => {
  let project: StandInProject;
  let first: Launched;

  beforeAll(async () => {
    project = await standInProject();
    first = Launched.start(['start'], project);
    await first.says('is ready');
  });

  afterAll(async () => {
    await first.interrupt();
    project.remove();
  });

  it('refuses a second start on the same data and names the first', async () => {
    const second = Launched.start(['start'], project);

    expect(await second.ended).toBe(1);
    expect(second.output).toContain(`already in use by process ${first.pid}`);
  });

  it('restarts a crashed app, reports it, and keeps the log of the crash', async () => {
    const log = path.join(project.dataDir, 'logs/api.log');
    fs.appendFileSync(log, 'x'.repeat(11 * 1024 * 1024));
    const url = `http://127.0.0.1:${project.port}`;
    const before = await (await fetch(url)).text();
    await fetch(`${url}/crash`).catch(() => undefined);

    await first.says('api ended with code 7; starting it again');
    expect(first.output).toContain(`(log: ${log})`);
    const after = await eventually(async () => (await fetch(url)).text());
    expect(after).not.toBe(before);
    expect(fs.existsSync(`${log}.1`)).toBe(false);
  });

  it('sets development and a key of its own, also for commands that join, on the same servers', async () => {
    const print = 'const { env } = process; console.log(`${env.NODE_ENV} ${env.SECRETS_KEY} ${env.DATABASE_URL}`)';
    const joined = Launched.start(['run', '--', process.execPath, '-e', print], project);

    expect(await joined.ended).toBe(0);
    const key = fs.readFileSync(path.join(project.dataDir, 'secrets.key'), 'utf8');
    expect(key).toMatch(/^local:.{44}$/);
    expect(joined.output).toContain(`development ${key} postgres:`);
    expect(joined.output).toContain(`joining the Deskwire that runs here (process ${first.pid})`);
    expect(joined.output).not.toContain('PostgreSQL:');
    expect(joined.output).toContain('@127.0.0.1:');
  });
});
