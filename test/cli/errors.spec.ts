import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '#test/support/database.js';
import { runCli, runDemo } from './run.js';

let database: Awaited<ReturnType<typeof createDatabase>>;
let environment: Readonly<Record<string, string>>;
beforeAll(async () => {
  database = await createDatabase();
  environment = { NODE_ENV: 'test', DATABASE_URL: database.url, PUBLIC_URL: 'http://127.0.0.1:3123/' };
});
afterAll(() => database.drop());

describe('an error of a command', () => {
  it('names the file that cannot be written', async () => {
    const { code, err } = await runCli(['first-run', '--file', '/missing/credentials.json'], environment);

    expect(err).toMatch(/^error: ENOENT: no such file or directory, open '\/missing\/credentials\.json\.\d+'\n$/);
    expect(code).toBe(1);
  });

  it('names an unknown option of the demonstration, as wrong usage', async () => {
    const { code, err } = await runDemo(['--foo'], environment);

    expect(err).toMatch(/^error: Unknown option '--foo'/);
    expect(code).toBe(2);
  });

  it.each([
    ['a port where no server listens', 'postgres://deskwire@127.0.0.1:1/deskwire'],
    ['a host that does not exist', 'postgres://deskwire@database.invalid/deskwire'],
    ['a socket that does not exist', 'postgres://deskwire@%2Fmissing/deskwire'],
    ['a database that does not exist', 'missing'],
  ])('says that the database cannot be reached at %s', async (_, address) => {
    const url = address === 'missing' ? Object.assign(new URL(database.url), { pathname: '/missing' }).href : address;
    const { code, err } = await runCli(['accounts', 'list'], { ...environment, DATABASE_URL: url });

    expect(err).toMatch(/^error: The database cannot be reached \(.+\)\. Start the server/);
    expect(code).toBe(1);
  });
});
