// @module-tag long
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { Client as PgClient } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import { runCli } from '../cli/run.js';
import { parseEnvironmentFile } from '../docs/environment-file.js';
import { snippetFor } from '../docs/operator-pages.js';
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

describe.each([
  ['without a key', {}, 'SECRETS_KEY must be set; make one with'],
  ['with the published key', { SECRETS_KEY: PUBLISHED }, 'SECRETS_KEY must not contain the key that is published'],
  [
    'for development that other machines can reach',
    { NODE_ENV: 'development', PUBLIC_URL: 'http://localhost:3000', HOST: '0.0.0.0' },
    'SECRETS_KEY must be set, because HOST or PUBLIC_URL gives other machines access',
  ],
])('an installation %s', (_name, changes, sentence) => {
  it.each(['api', 'worker'] as const)('refuses to start its %s, with instructions', async (app) => {
    const started = new AppProcess(app, { ...environment, ...changes });
    onTestFinished(async () => void (await started.stop()));

    expect(await started.exited).toBe(1);
    expect(started.output()).toContain(sentence);
    expect(started.output()).not.toContain(PUBLISHED.split(':')[1]);
  });

  it('gets a red result from the doctor', async () => {
    const doctor = await runCli(['doctor'], { ...environment, ...changes });

    expect(doctor.code).toBe(1);
    expect(doctor.out).toMatch(new RegExp(`^red {4}settings {6}${sentence}`, 'm'));
  });
});

it('reports weakened settings in the doctor', async () => {
  const weak = { SECRETS_KEY: RANDOM, PUBLIC_URL: 'http://desk.example.com', ALLOW_QUERY_TOKENS: 'true' };
  const doctor = await runCli(['doctor'], { ...environment, ...weak });

  expect(doctor.code).toBe(1);
  expect(doctor.out).toMatch(/^red {4}settings {6}PUBLIC_URL is http/m);
  expect(doctor.out).toMatch(/^amber {2}settings {6}ALLOW_QUERY_TOKENS is true/m);
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

async function isMailRefused(): Promise<boolean> {
  const sql = new PgClient({ connectionString: database.url });
  await sql.connect();
  const { rows } = await sql.query<{ state: string }>('select state from outgoing_mails');
  await sql.end();
  return rows.length > 0 && rows.every(({ state }) => state === 'failed');
}

async function inviteSomebody(base: string): Promise<void> {
  const sql = new PgClient({ connectionString: database.url });
  await sql.connect();
  const { owner } = await seedAccount(sql);
  await sql.end();
  const answer = await fetch(`${base}/v1/agents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'new@acme.test', first_name: 'New', last_name: 'Agent', role: 'agent' }),
  });
  expect(answer.status).toBe(201);
}
