import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApplicationsService } from '#libs/access';
import { Database } from '#libs/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OAuthDesk, PASSWORD } from '../oauth/support/oauth-desk.js';
import { Person } from '../oauth/support/person.js';
import { enrol } from '../oauth/support/two-factor.js';
import { createDatabase } from '#test/support/database.js';
import { type Ran, runCli } from './run.js';

let oauth: OAuthDesk;
beforeAll(async () => {
  oauth = await OAuthDesk.start();
});
afterAll(() => oauth.stop());

const run = (args: string[], input = '', environment = oauth.desk.environment): Promise<Ran> =>
  runCli(args, environment, input);

describe('the operator', () => {
  it('creates an account whose owner can sign in', async () => {
    const made = await run(['accounts', 'create', 'Initech', '--owner', 'Bill@Initech.test', '--json']);
    const page = await new Person(oauth.base).signIn('bill@initech.test', made.json.password);

    expect(made.code).toBe(0);
    expect(page.status).toBe(303);
    expect((await run(['accounts', 'list'])).out).toMatch(/^ID +NAME +CREATED_AT\n/);
  });

  it('prints the version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

    expect(await run(['--version'])).toMatchObject({ code: 0, out: `${version}\n` });
  });

  it('creates agents, and sets their passwords from standard input', async () => {
    const account = ['--account', oauth.desk.account.id];
    const names = ['--first-name', 'Grace', '--last-name', 'Hopper', '--role', 'admin'];
    const made = await run(['agents', 'create', 'grace@acme.test', ...account, ...names, '--json']);
    const again = await run(['agents', 'create', 'grace@acme.test', ...account, ...names]);
    const set = await run(
      ['agents', 'set-password', 'grace@acme.test', ...account, '--password-stdin'],
      'a new password\n',
    );
    const page = await new Person(oauth.base).signIn('grace@acme.test', 'a new password');

    expect(made.json).toMatchObject({ email: 'grace@acme.test', role: 'admin', state: 'active' });
    expect([again.code, again.err]).toEqual([1, 'error: grace@acme.test is already an agent of this account.\n']);
    expect(set.code).toBe(0);
    expect(set.out).not.toContain('a new password');
    expect(page.status).toBe(303);
  });

  it('resets the two-factor sign-in of an agent, and records it in the audit', async () => {
    const { email } = await enrol(oauth);
    const reset = ['agents', 'reset-two-factor', email, '--account', oauth.desk.account.id];
    const [done, again] = [await run([...reset, '--json']), await run(reset)];
    const page = await new Person(oauth.base).signIn(email, PASSWORD);
    const { rows } = await oauth.desk.sql.query(
      "select agent_id from activities where kind = 'two_factor_reset' and subject = $1",
      [email],
    );

    expect([done.code, done.json.email]).toEqual([0, email]);
    expect([again.code, again.err]).toEqual([1, 'error: Two-factor sign-in is off.\n']);
    expect(page.location).toBe('/');
    expect(rows).toEqual([{ agent_id: null }]);
  });

  it('prints a link for an agent who receives no email', async () => {
    const { email } = oauth.desk.account.owner;
    const made = await run(['agents', 'link', email, '--account', oauth.desk.account.id, '--json']);
    const page = await new Person(oauth.base).get(new URL(made.json.link).pathname);

    expect(made.json.purpose).toBe('password');
    expect(page.html).toContain('Set a new password');
  });

  it('creates applications, rotates their secrets, and turns them off and on', async () => {
    const uris = ['--redirect-uri', 'https://a.example/cb?a=1,2', '--redirect-uri', 'http://127.0.0.1:4001/cb'];
    const made = await run(['apps', 'create', 'Mirror', ...uris, '--scope', 'webhooks,read', '--json']);
    const { client_id: id, client_secret: secret } = made.json as Record<string, string>;
    const app = { id: '', clientId: id ?? '', secret: secret ?? '', redirectUri: 'http://127.0.0.1:4001/cb' };
    const tokens = await oauth.tokens(await oauth.person(), {}, app);
    const rotated = await run(['apps', 'rotate-secret', app.clientId, '--overlap-hours', '0', '--json']);
    const off = await run(['apps', 'disable', app.clientId]);

    expect(made.json).toMatchObject({
      redirect_uris: ['https://a.example/cb?a=1,2', app.redirectUri],
      scopes: ['read', 'webhooks'],
    });
    expect((await oauth.exchange('x', {}, app)).body.error).toBe('invalid_client');
    expect(off.out).toContain('Disabled.');
    expect(await oauth.works(tokens.access_token)).toBe(false);
    expect((await run(['apps', 'enable', app.clientId])).code).toBe(0);
    expect(await oauth.works(tokens.access_token)).toBe(true);
    const rightNow = { client_secret: rotated.json.client_secret as string };
    expect((await oauth.exchange('x', rightNow, app)).body.error).toBe('invalid_grant');
    expect((await run(['apps', 'show', app.clientId])).out).not.toContain(secret);
    expect((await run(['apps', 'list'])).out).toContain('Mirror');
  });

  it('creates public clients, which have no secret', async () => {
    const create = ['apps', 'create', 'Phone', '--redirect-uri', 'com.example.app:/cb', '--public', '--json'];
    const made = await run(create);

    expect(made.json).toMatchObject({ public: true, account: null, redirect_uris: ['com.example.app:/cb'] });
    expect(made.json).not.toHaveProperty('client_secret');
    const refused = await run(['apps', 'rotate-secret', made.json.client_id as string]);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('A public client has no secret.')]);
  });

  it('approves the application of an account, and shows whose it is', async () => {
    const { id, owner } = oauth.desk.account;
    const wanted = { name: 'Ours', redirectUris: ['https://a.example/'], makerAccountId: id, by: owner.id };
    const { application } = await oauth.desk.api
      .get(Database)
      .systemTransaction((tx) => oauth.desk.api.get(ApplicationsService).create(tx, wanted));
    const show = () => run(['apps', 'show', application.clientId, '--json']);

    expect((await show()).json).toMatchObject({ account: id, public: false, approved_at: null });
    const approved = await run(['apps', 'approve', application.clientId, '--json']);
    expect(approved.json.approved_at).toMatch(/^\d{4}-/);
    expect((await show()).json.approved_at).toBe(approved.json.approved_at);
    const listed = (await run(['apps', 'list', '--json'])).json as Record<string, unknown>[];
    expect(listed.find(({ client_id }) => client_id === application.clientId)).toMatchObject({ account: id });
  });

  it('changes the scopes an application may request, and leaves grants unchanged', async () => {
    const create = ['apps', 'create', 'Notifier', '--redirect-uri', 'https://n.example/cb', '--scope', 'webhooks'];
    const { client_id: clientId, client_secret: secret } = (await run([...create, '--json'])).json;
    const app = { id: '', clientId, secret, redirectUri: 'https://n.example/cb' };
    const before = await oauth.tokens(await oauth.person(), {}, app);
    const changed = await run(['apps', 'set-scopes', clientId, '--scope', 'webhooks,read', '--json']);
    const after = await oauth.tokens(await oauth.person(), {}, app);
    const [narrow, wide] = [before, after].map(({ access_token }) =>
      oauth.desk.client(access_token).get('/v1/tickets'),
    );

    expect(changed.json.scopes).toEqual(['read', 'webhooks']);
    expect([(await narrow!).status, (await wide!).status]).toEqual([403, 200]);
  });

  it('creates, lists and revokes personal access tokens', async () => {
    const account = ['--account', oauth.desk.account.id];
    const forOwner = [...account, '--agent', oauth.desk.account.owner.email, '--json'];
    const made = await run(['tokens', 'create', 'export', ...forOwner, '--scope', 'webhooks']);
    const plain = await run(['tokens', 'create', 'plain', ...forOwner]);
    const listed = await run(['tokens', 'list', ...account, '--json']);
    expect(await oauth.works(plain.json.token)).toBe(true);
    const revoked = await run(['tokens', 'revoke', plain.json.id, ...account]);

    expect(listed.json).toContainEqual(expect.objectContaining({ id: made.json.id, scopes: ['webhooks'] }));
    expect(listed.json).toContainEqual(expect.objectContaining({ id: plain.json.id, scopes: ['read'] }));
    expect(JSON.stringify(listed.json)).not.toContain(made.json.token);
    expect(revoked.code).toBe(0);
    expect(await oauth.works(plain.json.token)).toBe(false);
  });
});

describe('an application without --scope', () => {
  it('may not request admin, which --scope still grants', async () => {
    const create = ['apps', 'create', 'Plain', '--redirect-uri', 'https://plain.example/cb', '--json'];
    const admin = await run([...create, '--scope', 'read,write,webhooks,admin']);

    expect((await run(create)).json.scopes).toEqual(['read', 'write', 'webhooks']);
    expect(admin.json.scopes).toContain('admin');
  });
});

describe('an error of the command line', () => {
  it.each([
    [['apps', 'approve', 'unknown'], 1, 'There is no such application. See `apps list`.'],
    [['apps', 'show', 'unknown'], 1, 'There is no such application. See `apps list`.'],
    [['apps', 'create', 'X', '--redirect-uri', 'http://x.example/cb'], 1, 'use https:'],
    [
      ['apps', 'create', 'X', '--redirect-uri', 'https://x.example/cb', '--scope', 'all'],
      1,
      'Scopes are one or more of',
    ],
    [['tokens', 'list', '--account', 'Nowhere'], 1, 'There is no such account. See `accounts list`.'],
    [['tokens', 'create', 'x', '--account', 'Acme', '--agent', 'a@b.test', '--days', '400'], 1, ''],
    [['tokens', 'list'], 2, '--account'],
    [['nonsense'], 2, 'unknown command'],
    [['apps', 'rotate-secret', 'x', '--overlap-hours', 'soon'], 2, 'Give a whole number.'],
    [['webhooks', 'show', 'nothing'], 1, 'There is no such webhook. See `webhooks list`.'],
    [['webhooks', 'list', '--state', 'odd'], 2, 'Allowed choices are'],
    [['queue', 'redrive', '--account', 'Nowhere'], 1, 'There is no such account.'],
    [['queue', 'drain', '--timeout', 'soon'], 2, 'Give a whole number.'],
  ])('explains what to do next, and sets the exit code: %o', async (args, code, sentence) => {
    const ran = await run(args);

    expect(ran.code).toBe(code);
    expect(ran.err).toContain(sentence);
    expect(ran.err).not.toContain('    at ');
  });

  it('takes one sentence when there is no database', async () => {
    const away = await run(['accounts', 'list'], '', { NODE_ENV: 'test', DATABASE_URL: 'postgres://127.0.0.1:1/none' });
    const unset = await run(['accounts', 'list'], '', {});
    const wrong = await run(['accounts', 'list'], '', { DATABASE_URL: 'mysql://127.0.0.1/none' });

    expect([away.code, unset.code, wrong.code]).toEqual([1, 1, 1]);
    expect(wrong.err).toContain('DATABASE_URL');
    expect(wrong.err).not.toContain('Set DATABASE_URL');
    expect(away.err).toContain('Start the server that DATABASE_URL names, or correct the URL.');
    expect(unset.err).toContain('Set DATABASE_URL, or run `npm run cli -- …` while `npm start` runs.');
  });
});

describe('first-run', () => {
  it('creates one demonstration account when it runs twice at once', async () => {
    const database = await createDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'first-run-'));
    const environment = { NODE_ENV: 'test', DATABASE_URL: database.url };
    const firstRun = ['first-run', '--file', join(folder, 'first-run.json')];
    const both = await Promise.all([run(firstRun, '', environment), run(firstRun, '', environment)]);
    const accounts = await run(['accounts', 'list', '--json'], '', environment);
    rmSync(folder, { recursive: true });
    await database.drop();

    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(both.filter(({ out }) => out.includes('Nothing was changed'))).toHaveLength(1);
    expect(accounts.json).toHaveLength(1);
  });
});

describe('migrate', () => {
  it('goes down and up again, and shows the current state', async () => {
    const database = await createDatabase();
    const environment = { NODE_ENV: 'test', DATABASE_URL: database.url };
    expect((await run(['migrate', 'status'], '', environment)).code).toBe(0);
    const [, last = ''] = /^Reverted (\w+)\.\n$/.exec((await run(['migrate', 'down'], '', environment)).out) ?? [];
    expect((await run(['migrate', 'status'], '', environment)).code).toBe(3);
    expect((await run(['migrate', 'up'], '', environment)).out).toBe(`Ran ${last}.\n`);
    expect((await run(['migrate', 'up'], '', environment)).out).toBe('The database is up to date.\n');
    const all = await run(['migrate', 'down', '--count', '99'], '', environment);
    expect(all.out).toMatch(new RegExp(`^Reverted ${last}, .+\\.\n$`));
    const again = await run(['migrate', 'down', '--count', '99'], '', environment);
    expect(again.out).toBe('No migration is left to revert.\n');
    await database.drop();
  });
});
