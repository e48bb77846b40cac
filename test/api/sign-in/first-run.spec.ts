import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, createDatabase } from '#test/support/database.js';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'first-run-'));
const file = join(folder, 'first-run.json');
let database: TestDatabase;

const firstRun = () =>
  run(process.execPath, ['dist/cli.js', 'first-run', '--file', file], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      DATABASE_URL: database.url,
      PUBLIC_URL: 'http://localhost:3210',
    },
  });

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

describe('the first run', () => {
  it('creates a test account, and writes its password to a private file and to no log', async () => {
    const { stdout, stderr } = await firstRun();
    const made = JSON.parse(readFileSync(file, 'utf8'));

    expect(Object.keys(made)).toEqual(
      'base_url account owner mailbox client_id client_secret redirect_uri token'.split(' '),
    );
    expect(made.base_url).toBe('http://localhost:3210');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const secret of [made.token, made.client_secret, made.owner.password])
      expect(stdout + stderr).not.toContain(secret);
  });

  it('does nothing if an account exists', async () => {
    const before = readFileSync(file, 'utf8');
    const { stdout } = await firstRun();

    expect(stdout).toContain('already');
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});
