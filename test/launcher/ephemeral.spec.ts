// @module-tag long
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canAccess, serverUser } from '../../apps/launcher/src/system-user.js';
import { eventually } from '#test/support/eventually.js';
import { Launched, ROOT } from './launched.js';
import { standInProject, type StandInProject } from './stand-in-project.js';

const SHOWN = '${process.env.DATABASE_URL} ${process.env.NODE_ENV} ${process.env.SECRETS_KEY} of ${process.getuid()}';
const SHOW = ['--', process.execPath, '-e', `console.log(\`${SHOWN}\`)`];
const WAIT = ['--', process.execPath, '-e', 'console.log("waiting"); setInterval(() => undefined, 60_000)'];

describe('the ephemeral servers', () => {
  let project: StandInProject;

  beforeAll(async () => {
    project = await standInProject();
  });

  afterAll(() => project.remove());

  const run = (words: string[], options: Partial<Parameters<typeof Launched.start>[1]> = {}) =>
    Launched.start(['run', '--ephemeral', ...words], { ...project, ...options });

  it('belong to one run each, in development, with a key of that run', async () => {
    const runs = [run(SHOW), run(SHOW)];

    expect(await Promise.all(runs.map(({ ended }) => ended))).toEqual([0, 0]);
    const shown = runs.map(({ output }) => /^(postgres\S+127\.0\.0\.1\S+) development (local:.{44}) /m.exec(output)!);
    expect(shown[0]![1]).not.toBe(shown[1]![1]);
    expect(shown[0]![2]).not.toBe(shown[1]![2]);
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

  it.each([
    ['Ctrl-C', 'interrupt', 130],
    ['the launcher was killed', 'kill9', null],
  ] as const)('disappear with their folder after %s', async (_, end, code) => {
    const temporary = privateTemporaryFolder();
    const launched = run(['--no-redis', ...WAIT], { environment: { TMPDIR: temporary } });
    await launched.says('waiting');
    expect(fs.readdirSync(temporary)).toHaveLength(1);

    expect(await launched[end]()).toBe(code);
    await eventually(() => fs.readdirSync(temporary).length === 0, { withinMs: end === 'kill9' ? 20_000 : 0 });
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

function privateTemporaryFolder(): string {
  const folder = path.join(os.tmpdir(), `deskwire-temporary-${randomBytes(6).toString('hex')}`);
  fs.mkdirSync(folder, { mode: 0o755 });
  return folder;
}
