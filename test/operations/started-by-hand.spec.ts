// @module-tag long
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { Client as PgClient } from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import { runCli } from '../cli/run.js';
import { parseEnvironmentFile } from '../docs/environment-file.js';
import { snippetFor } from '../docs/operator-pages.js';
import { ApiClient } from '#test/support/api-client.js';
import { AppProcess, ready } from '#test/support/app-process.js';
import { type TestDatabase, createDatabase } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';
import { seedAccount } from '#test/support/seed.js';

type Environment = Readonly<Record<string, string>>;

const PUBLISHED = `development:${Buffer.alloc(32, 'deskwire development only').toString('base64')}`;
const RANDOM = `k1:${randomBytes(32).toString('base64')}`;

/**
 * The environment that systemd reads from /etc/deskwire.env as docs/operations.md prints it, with a folder of this
 * machine.
 */
function documentedEnvironment(): Environment {
  const { SECRETS_KEY: _key, REDIS_URL: _redis, ...set } = parseEnvironmentFile(snippetFor('/etc/deskwire.env'));
  return { ...set, DATA_DIR: tmpdir() };
}

let database: TestDatabase;
let environment: Environment;
beforeAll(async () => {
  database = await createDatabase();
  environment = { ...documentedEnvironment(), DATABASE_URL: database.url, PORT: `${await freePort()}` };
});
afterAll(() => database.drop());

it('documents an environment with all that an installation needs, and without a claim to be production', () => {
  expect(Object.keys(documentedEnvironment())).toEqual(
    expect.arrayContaining(['DATABASE_URL', 'PUBLIC_URL', 'SMTP_URL', 'MAIL_FROM', 'DATA_DIR']),
  );
  expect(documentedEnvironment()).not.toHaveProperty('NODE_ENV');
});

it.each([
  ['without a key', {}, 'SECRETS_KEY must be set; make one with'],
  ['with the published key', { SECRETS_KEY: PUBLISHED }, 'SECRETS_KEY must not contain the key that is published'],
])('refuses to start an installation %s, with instructions, and so says the doctor', async (_, changes, sentence) => {
  const apps = (['api', 'worker'] as const).map((app) => new AppProcess(app, { ...environment, ...changes }));
  const doctor = await runCli(['doctor'], { ...environment, ...changes });

  for (const app of apps) {
    expect(await app.exited).toBe(1);
    expect(app.output()).toContain(sentence);
    expect(app.output()).not.toContain(PUBLISHED.split(':')[1]);
  }
  expect(doctor.code).toBe(1);
  expect(doctor.out).toMatch(new RegExp(`^red {4}settings {6}${sentence}`, 'm'));
});

it('judges the environment unchanged in npm run doctor, without adding a development key', () => {
  const { PATH = '', HOME = '' } = process.env;
  for (const words of [['doctor'], ['cli', 'doctor']]) {
    const ran = spawnSync(process.execPath, ['apps/launcher/bootstrap.mjs', ...words], {
      env: { PATH, HOME, ...environment },
      encoding: 'utf8',
    });
    expect([ran.status, ran.stdout]).toEqual([1, expect.stringContaining('SECRETS_KEY must be set; make one with')]);
  }
});

it('starts with a random key, which the doctor rates green', async () => {
  const api = new AppProcess('api', { ...environment, SECRETS_KEY: RANDOM });
  await ready(api.base);
  const redis = { REDIS_URL: 'redis://:secret@127.0.0.1:1' };
  const doctor = await runCli(['doctor'], { ...environment, ...redis, SECRETS_KEY: RANDOM });
  await api.stop();

  expect(doctor.out).toMatch(/^green {2}settings/m);
  // The role of the tests' server is a superuser.
  expect(doctor.out).toMatch(/^amber {2}database {6}PostgreSQL \d+.*superuser/m);
});

it.each([
  ['keeps out of the log', { SECRETS_KEY: RANDOM }, false],
  ['writes to the log in development', { NODE_ENV: 'development', PUBLIC_URL: '' }, true],
])('%s the link that sets a password without a mail server', async (_name, changes, logged) => {
  const settings = { ...environment, SMTP_URL: '', ...changes };
  const api = new AppProcess('api', settings);
  const worker = new AppProcess('worker', settings);
  onTestFinished(async () => void (await Promise.all([api.stop(), worker.stop()])));
  await ready(api.base);
  await inviteSomebody(api.base);
  await eventually(() => isMailRefused());

  expect(api.output()).not.toContain('/set-password/');
  expect(worker.output().includes('/set-password/')).toBe(logged);
});

async function onDatabase<T>(use: (sql: PgClient) => Promise<T>): Promise<T> {
  const sql = new PgClient({ connectionString: database.url });
  await sql.connect();
  const result = await use(sql);
  await sql.end();
  return result;
}

async function isMailRefused(): Promise<boolean> {
  const { rows } = await onDatabase((sql) => sql.query<{ state: string }>('select state from outgoing_mails'));
  return rows.length > 0 && rows.every(({ state }) => state === 'failed');
}

async function inviteSomebody(base: string): Promise<void> {
  const { owner } = await onDatabase((sql) => seedAccount(sql));
  const agent = { email: 'new@acme.test', first_name: 'New', last_name: 'Agent', role: 'agent' };
  expect((await new ApiClient(base, owner.token).post('/v1/agents', agent)).status).toBe(201);
}
