import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../../cli/run.js';
import { createDatabase } from '#test/support/database.js';

it('prints no secret of the account that the first run creates', async () => {
  const database = await createDatabase();
  const file = join(tmpdir(), `first-run-${process.pid}.json`);
  const environment = { NODE_ENV: 'test', DATABASE_URL: database.url, PUBLIC_URL: 'http://localhost:3210' };
  const { out, err } = await runCli(['first-run', '--file', file], environment);
  const made = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  await database.drop();

  for (const secret of [made.token, made.client_secret, made.owner.password]) expect(out + err).not.toContain(secret);
});
