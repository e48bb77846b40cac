// @module-tag long
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { relabelledCases, signedCases } from '../docs/signed-cases.js';
import { OAuthDesk } from '../oauth/support/oauth-desk.js';
import { baseUrlOf } from '#test/support/api-client.js';
import { collectGarbage } from '#test/support/collect-garbage.js';
import { eventually } from '#test/support/eventually.js';
import { InstalledSdk } from './installed-sdk.js';
import { scriptedServer } from './scripted-server.js';
import { TYPED_PROGRAM } from './typed-program.js';

let oauth: OAuthDesk;
let sdk: InstalledSdk;
// oxlint-disable-next-line typescript/no-explicit-any
let library: any;
beforeAll(async () => {
  [oauth, sdk] = await Promise.all([OAuthDesk.start(), InstalledSdk.pack()]);
  library = await sdk.load();
}, 180_000);
afterAll(async () => {
  await sdk.remove();
  await oauth.stop();
});

const account = () => oauth.desk.account;
const client = (baseUrl: string, more = {}) => new library.Deskwire({ baseUrl, token: 'secret', ...more });
const helper = ({ clientId, secret, redirectUri } = oauth.app) =>
  new library.DeskwireOAuth({
    baseUrl: oauth.base,
    clientId,
    redirectUri,
    ...(secret !== '' && { clientSecret: secret }),
  });

/** The request for access of a new person, and the redirect after they allowed it. */
async function allowed(options = {}, app = oauth.app) {
  const authorization = await helper(app).authorization(options);
  const { pathname, search } = new URL(authorization.url);
  return { authorization, callback: await (await oauth.person()).decide(`${pathname}${search}`, 'allow') };
}

describe('the packed @deskwire/sdk in an empty project', () => {
  it('has no dependencies, is small, and runs without Node', async () => {
    const installed = await readdir(join(sdk.project, 'node_modules'));
    const scripts = (await readdir(join(sdk.folder, 'dist'))).filter((name) => name.endsWith('.js'));
    const code = await Promise.all(scripts.map((name) => readFile(join(sdk.folder, 'dist', name))));

    expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['@deskwire']);
    expect(gzipSync(Buffer.concat(code)).length).toBeLessThan(15 * 1024);
    expect(code.join('')).not.toMatch(/node:|require\(|process\.|\bBuffer\b/);
  });

  it('installs the command deskwire', async () => {
    const { stdout } = await promisify(execFile)(join(sdk.project, 'node_modules/.bin/deskwire'), ['listen', '--help']);

    expect(stdout).toContain('deskwire listen --forward');
  });

  it('types every call, and makes it', async () => {
    const { mailbox, owner } = account();
    const output = await sdk.runTyped(TYPED_PROGRAM, [oauth.base, owner.token, mailbox.email]);

    expect(JSON.parse(output)).toEqual({
      secret: 'whsec_',
      several: 422,
      numbers: [3, 2, 1],
      state: 'closed',
      code: 'ticket_not_found',
      wrong: 422,
      unknown: [{ field: 'colour', code: 'unknown_parameter', message: 'colour is not a parameter here' }],
      file: 'invoice.txt',
    });
  }, 60_000);
});

describe('a call of the SDK', () => {
  it('repeats with one key until it succeeds', async () => {
    const { seen, base } = await scriptedServer([503, '0'], [0], [429, '0'], [201]);
    const { ticket } = await client(base).post('/v1/tickets', { body: {} });

    expect(ticket.number).toBe(1);
    expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(seen.map(({ headers }) => headers['prefer'])).toEqual(Array(4).fill('handling=strict'));
  });

  it('repeats with its key when the connection ends within the response', async () => {
    const { seen, base } = await scriptedServer([201, undefined, 'cut'], [201]);

    expect(await client(base).post('/v1/tickets', { body: {} })).toEqual({ ticket: { number: 1 } });
    expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    const away = await scriptedServer([0]);
    await expect(client(away.base, { retries: 0 }).get('/v1/me')).rejects.toBeInstanceOf(library.NetworkFailure);
  });

  it('ends without a repetition that would be useless or too late', async () => {
    const refused = await scriptedServer([422]);
    const away = await scriptedServer([503, '3600']);
    const often = await scriptedServer([503, '0'], [503, '0'], [503, '0']);

    await expect(client(refused.base).get('/v1/me')).rejects.toMatchObject({ status: 422 });
    await expect(client(away.base).get('/v1/me')).rejects.toMatchObject({ status: 503 });
    await expect(client(often.base, { retries: 2 }).get('/v1/me')).rejects.toMatchObject({ status: 503 });
    expect([refused.seen.length, away.seen.length, often.seen.length]).toEqual([1, 1, 3]);
  });

  it('keeps its deadline through a garbage collection when the caller has a signal too', async () => {
    const server = createServer().unref().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const silent = client(baseUrlOf(server), { retries: 0, timeoutMs: 1_000 });
    const asked = silent.get('/v1/me', { signal: new AbortController().signal }).catch((error: unknown) => error);
    await collectGarbage();

    expect(await asked).toMatchObject({ name: 'NetworkFailure', cause: { name: 'TimeoutError' } });
    server.closeAllConnections();
  }, 10_000);

  it('sends its token to no other server', async () => {
    const { seen, base } = await scriptedServer([200]);
    const page = { folders: [], meta: { pagination: { next_page: `${base}/v1/folders?page=2` } } };
    const own: string[] = [];
    const ask = (url: string) => {
      own.push(url);
      if (own.length > 1) page.meta.pagination.next_page = null as unknown as string;
      return Promise.resolve(Response.json(page));
    };
    for await (const one of client('https://desk.example/help', { fetch: ask }).pages('/v1/folders'))
      expect(one.folders).toEqual([]);

    expect(own.map((url) => new URL(url).origin)).toEqual(['https://desk.example', 'https://desk.example']);
    expect(seen).toEqual([]);
  });
});

interface Follower {
  readonly changes: { follow(options: object): AsyncIterator<unknown> };
}

const firstPage = (one: Follower) => one.changes.follow({ waitSeconds: 0 }).next();
const failing = () => Promise.reject(new Error('The store is closed.'));

describe('following changes', () => {
  it('ends when access was revoked, also while tokens are renewed', async () => {
    const { callback, authorization } = await allowed();
    const tokens = await helper().exchange(callback, authorization);
    await helper().revoke(tokens.refreshToken);
    const store = { read: () => Promise.resolve(tokens), write: () => Promise.resolve() };
    const renewed = new library.Deskwire({ baseUrl: oauth.base, token: helper().tokenOf(store) });

    await expect(firstPage(renewed)).rejects.toMatchObject({
      name: 'OAuthRefused',
      code: 'invalid_grant',
      status: 400,
    });
    await expect(firstPage(client(oauth.base, { token: tokens.accessToken }))).rejects.toMatchObject({ status: 401 });
  });

  it('ends after an error of the caller, or a redirect to another server', async () => {
    const elsewhere = await scriptedServer([308]);

    await expect(firstPage(client(oauth.base, { token: failing }))).rejects.toThrow('The store is closed.');
    await expect(firstPage(client(oauth.base, { token: 'two\nlines' }))).rejects.toBeInstanceOf(TypeError);
    await expect(firstPage(client(elsewhere.base))).rejects.toMatchObject({ status: 308 });
    expect(() => client('desk.example')).toThrow(TypeError);
    expect(elsewhere.seen).toHaveLength(1);
  });

  it('continues after the network failed while tokens were renewed', async () => {
    const busy = await scriptedServer([0], [503, '0']);
    let renewals = 0;
    const token = async () => {
      const away = new library.DeskwireOAuth({ baseUrl: busy.base, clientId: '', clientSecret: '', redirectUri: '' });
      if ((renewals += 1) <= 2) await away.refresh('refresh');
      return account().owner.token;
    };

    expect(await firstPage(client(oauth.base, { token }))).toMatchObject({ done: false });
    expect([renewals, busy.seen.length]).toEqual([3, 2]);
  });
});

describe('the verification of webhooks', () => {
  it('accepts a webhook exactly when the signature, the time, the kind and the body match', async () => {
    const cases = [...signedCases(), ...relabelledCases()];
    const believed = await Promise.all(
      cases.map(async ({ title, headers, body, secret }) => {
        const answer = library.verifyWebhook({ headers, body }, { keys: [secret] });
        return [title, !((await answer.catch((reason: unknown) => reason)) instanceof library.InvalidWebhook)];
      }),
    );

    expect(believed).toEqual(cases.map(({ title, accepted }) => [title, accepted]));
  });

  it('refuses with a reason when the body was parsed before', async () => {
    const seen: { status?: number; error?: Error } = {};
    const response = { writeHead: (status: number) => ({ end: () => void (seen.status = status) }) };
    const handler = library.nodeWebhook({ keys: [], onError: (error: Error) => (seen.error = error) });
    await handler({ headers: {}, body: { number: 1 } }, response);

    expect([seen.status, seen.error?.message]).toEqual([500, expect.stringContaining('was parsed')]);
  });

  it('passes webhooks to handlers for Node, Fastify and fetch from a worker', async () => {
    const { desk } = oauth;
    const seen: { handler: string; email: string }[] = [];
    const keys: string[] = [];
    const handler = (name: string) => ({
      keys,
      onEvent: ({ kind, record }: { kind: string; record: { email: string } }) => {
        if (kind === 'customer_added') seen.push({ handler: name, email: record.email });
      },
    });
    const node = createServer((request, response) => void library.nodeWebhook(handler('node'))(request, response));
    const server = fastify({ forceCloseConnections: true });
    await server.register(library.fastifyWebhook(handler('fastify')), { prefix: '/hook' });
    const fetched = library.fetchWebhook(handler('fetch'));
    server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    server.post('/fetch', async ({ headers, body }, reply) => {
      const request = new Request('http://worker.example/', {
        method: 'POST',
        headers: headers as Record<string, string>,
        body: body as BodyInit,
      });
      return reply.status(((await fetched(request)) as Response).status).send();
    });
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
    const address = await server.listen({ port: 0, host: '127.0.0.1' });
    for (const url of [baseUrlOf(node), `${address}/hook`, `${address}/fetch`])
      keys.push((await desk.webhook('customer_added', url)).secret);
    await desk.worker();
    await desk.client().post('/v1/customers', { email: 'sdk@client.test' });

    await eventually(() => new Set(seen.map((one) => one.handler)).size === 3);
    expect(seen.map(({ email }) => email)).toEqual(Array(seen.length).fill('sdk@client.test'));
    await server.close();
    node.closeAllConnections();
    node.close();
  });
});

describe('OAuth in the SDK', () => {
  it('exchanges the redirect for working tokens, and refuses a response to another request', async () => {
    const { callback, authorization } = await allowed({ scope: 'read' });

    await expect(helper().exchange(callback, { ...authorization, state: 'another' })).rejects.toMatchObject({
      code: 'state_mismatch',
    });
    callback.searchParams.delete('iss');
    await expect(helper().exchange(callback, authorization)).rejects.toMatchObject({ code: 'issuer_mismatch' });
    callback.searchParams.set('iss', oauth.base);
    const tokens = await helper().exchange(callback, authorization);
    const me = await new library.Deskwire({ baseUrl: oauth.base, token: tokens.accessToken }).get('/v1/me');
    expect([tokens.scope, me.agent.email]).toEqual(['read', account().owner.email]);
    await expect(helper().exchange(callback, authorization)).rejects.toMatchObject({ code: 'invalid_grant' });
  });

  it('signs in a public client, which has no secret', async () => {
    const app = await oauth.application({ isPublic: true });
    const { callback, authorization } = await allowed({}, app);
    const { refreshToken } = await helper(app).exchange(callback, authorization);

    await expect(helper(app).refresh(refreshToken)).resolves.toMatchObject({ accessToken: expect.any(String) });
    await expect(helper(app).refresh(refreshToken)).rejects.toMatchObject({ code: 'invalid_grant' });
  });

  it('renews a refused token once for all calls, and in two processes at once', async () => {
    const { callback, authorization } = await allowed();
    const first = await helper().exchange(callback, authorization);
    let kept = { ...first, accessToken: 'ended', expiresAt: Date.now() + 3_600_000 };
    const store = {
      read: () => Promise.resolve(kept),
      write: (tokens: typeof kept) => Promise.resolve(void (kept = tokens)),
    };
    const clients = [helper(), helper()].map(
      (one) => new library.Deskwire({ baseUrl: oauth.base, token: one.tokenOf(store) }),
    );
    const calls = clients.flatMap((one) => [one.get('/v1/me'), one.get('/v1/me'), one.get('/v1/folders')]);

    await expect(Promise.all(calls)).resolves.toHaveLength(6);
    expect(kept.refreshToken).not.toBe(first.refreshToken);
    await expect(clients[0]!.get('/v1/me')).resolves.toBeTruthy();
  });
});
