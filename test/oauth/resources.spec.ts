import { beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '#test/support/api-client.js';
import { seedAgent, seedToken } from '#test/support/seed.js';
import { oauthDeskForFile } from './support/oauth-desk-for-file.js';
import type { Person } from './support/person.js';
import { challengeOf, newVerifier, publicTokens } from './support/pkce.js';

const oauth = oauthDeskForFile();
let person: Person;
let api: string;
let mcp: string;
beforeAll(async () => {
  person = await oauth.person();
  api = oauth.base;
  mcp = `${oauth.base}/mcp`;
});

const metadataOf = (path = '') => `resource_metadata="${oauth.base}/.well-known/oauth-protected-resource${path}"`;

/** Resources of an authorization request, which may be repeated. */
const withResources = (...resources: string[]) => {
  const more = new URLSearchParams(resources.map((resource) => ['resource', resource]));
  return `${oauth.authorizePath({ scope: 'read' })}&${more.toString()}`;
};

async function codeFor(...resources: string[]): Promise<string> {
  const { searchParams } = await person.decide(withResources(...resources), 'allow');
  return searchParams.get('code') ?? '';
}

const tokensFor = async (...resources: string[]) => (await oauth.exchange(await codeFor(...resources))).body;

async function audienceOf(token: string): Promise<string[]> {
  const { clientId: client_id, secret: client_secret } = oauth.app;
  const { body } = await new ApiClient(oauth.base).post('/oauth/introspect', { client_id, client_secret, token });
  return body.aud as string[];
}

describe('the metadata of a protected resource', () => {
  it.each([
    ['', 'Deskwire API', 'settings'],
    ['/mcp', 'Deskwire MCP server', 'messages:write'],
  ])('describes %j: %s', async (path, resource_name, scope) => {
    const { status, body, headers } = await oauth.desk.anonymous().get(`/.well-known/oauth-protected-resource${path}`);

    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(body).toEqual({
      resource: `${oauth.base}${path}`,
      authorization_servers: [oauth.base],
      scopes_supported: expect.arrayContaining([scope]),
      bearer_methods_supported: ['header'],
      resource_name,
      resource_documentation: `${oauth.base}/docs`,
    });
    const server = (await oauth.desk.anonymous().get('/.well-known/oauth-authorization-server')).body;
    expect(server.protected_resources).toContain(body.resource);
    expect(server.scopes_supported).toEqual(expect.arrayContaining(body.scopes_supported));
  });
});

describe('a resource of an authorization request', () => {
  it.each<[string, () => string[], () => string[]]>([
    ['none', () => [], () => [api]],
    ['an empty one', () => [''], () => [api]],
    ['the API', () => [api], () => [api]],
    ['the API with a slash', () => [`${api}/`], () => [api]],
    ['the MCP server', () => [mcp], () => [mcp]],
    ['the MCP server with a slash', () => [`${mcp}/`], () => [mcp]],
    ['both', () => [api, mcp], () => [api, mcp]],
    ['one twice', () => [mcp, mcp], () => [mcp]],
  ])('becomes the audience of the tokens: %s', async (_, resources, audiences) => {
    const { access_token, refresh_token } = await tokensFor(...resources());

    for (const token of [access_token, refresh_token])
      expect((await audienceOf(token)).sort()).toEqual(audiences().sort());
    expect(await oauth.works(access_token)).toBe(audiences().includes(api));
  });

  it.each([
    'https://other.example',
    'x',
    '/mcp',
    '//mcp',

    '%00',
    ...['/v1', '/mcp/a', '/mcp#a', '/mcp?a', '//', '/MCP', ' '].map((end) => `BASE${end}`),
  ])('is refused by redirect, also beside a known one: %j', async (unknown) => {
    for (const others of [[], [mcp]]) {
      const { location } = await person.get(withResources(...others, unknown.replace('BASE', api)));
      expect(new URL(location ?? '').searchParams.get('error')).toBe('invalid_target');
    }
  });
});

describe('a resource of a token request', () => {
  it('narrows the access token, and the refresh token keeps what was granted', async () => {
    const code = await codeFor(api, mcp);
    const first = (await oauth.exchange(code, { resource: mcp })).body;
    const second = (await oauth.refresh(first.refresh_token, { resource: `${api}/` })).body;
    const third = (await oauth.refresh(second.refresh_token, { resource: [mcp, api] })).body;
    const fourth = (await oauth.refresh(third.refresh_token)).body;

    const audiences = [];
    for (const { access_token } of [first, second, third, fourth]) audiences.push(await audienceOf(access_token));
    expect(audiences).toEqual([[mcp], [api], [api, mcp], [api, mcp]].map((one) => expect.arrayContaining(one)));
    expect(audiences.map(({ length }) => length)).toEqual([1, 1, 2, 2]);
  });

  it.each<[string, () => unknown]>([
    ['a wider one', () => mcp],
    ['a wider one beside its own', () => [api, mcp]],
    ['an unknown one', () => 'https://other.example'],
    ['a number', () => 7],
    ['an object', () => ({ a: api })],
    ['a list in a list', () => [[api]]],
    ['a thousand', () => Array.from({ length: 1_000 }, (_, n) => `${api}/${n}`)],
  ])('is refused, and spends neither code nor refresh token: %s', async (_, resource) => {
    const code = await codeFor(api);
    expect((await oauth.exchange(code, { resource: resource() })).body.error).toBe('invalid_target');
    const { refresh_token } = (await oauth.exchange(code)).body;

    const refused = await oauth.refresh(refresh_token, { resource: resource() });
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_target']);
    expect((await oauth.refresh(refresh_token)).status).toBe(200);
  });

  it('may be repeated in a form', async () => {
    const { clientId: client_id, secret: client_secret, redirectUri: redirect_uri } = oauth.app;
    const request = { grant_type: 'authorization_code', code: await codeFor(api, mcp) };
    const form = new URLSearchParams({ ...request, client_id, client_secret, redirect_uri, resource: api });
    form.append('resource', mcp);
    const answer = await fetch(`${oauth.base}/oauth/token`, { method: 'POST', body: form });

    expect((await audienceOf(((await answer.json()) as { access_token: string }).access_token)).sort()).toEqual([
      api,
      mcp,
    ]);
  });
});

describe('a token for the MCP server only', () => {
  it('does not exist for the API, with every challenge naming the metadata', async () => {
    const { access_token } = await tokensFor(mcp);
    const client = oauth.desk.client(access_token);
    const message = { body: 'Hi' };
    const answers = [
      await client.get('/v1/me'),
      await client.get('/v1/tickets/1'),
      await client.post('/v1/tickets/1/messages', message),
      await client.post('/v1/tickets/1/messages', message),
      await client.get('/oauth/userinfo'),
    ];

    for (const { status, body, headers } of answers) {
      expect([status, body.error]).toEqual([401, 'invalid_token']);
      const challenge = headers.get('www-authenticate');
      expect(challenge).toContain('error="invalid_token"');
      expect(challenge).toContain(metadataOf());
    }
  });

  it('is issued to a public client that asks for it', async () => {
    const app = await oauth.application({ isPublic: true });
    const { access_token } = await publicTokens(oauth, person, app, { resource: mcp });

    expect(await oauth.works(access_token)).toBe(false);
    const { location } = await person.get(oauth.authorizePath({ ...challengeOf(newVerifier()), resource: 'x' }, app));
    expect(new URL(location ?? '').searchParams.get('error')).toBe('invalid_target');
  });
});

const pinged = (token?: string) =>
  new ApiClient(oauth.base, token).post('/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' });

describe('the MCP server', () => {
  it.each<[string, () => string[], number]>([
    ['no resource', () => [], 401],
    ['the API', () => [api], 401],
    ['the MCP server', () => [mcp], 200],
    ['both', () => [api, mcp], 200],
  ])('accepts tokens that were issued for it: %s', async (_, resources, status) => {
    const answer = await pinged((await tokensFor(...resources())).access_token);

    expect(answer.status).toBe(status);
    const challenge = answer.headers.get('www-authenticate') ?? '';
    expect(challenge.includes('error="invalid_token"') && challenge.includes(metadataOf('/mcp'))).toBe(status === 401);
  });

  it('accepts personal access tokens, and names its metadata without a token', async () => {
    expect((await pinged(oauth.desk.account.owner.token)).status).toBe(200);
    const { status, headers } = await pinged();
    expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringContaining(metadataOf('/mcp'))]);
  });
});

describe('a 401 or 403', () => {
  it.each([
    ['GET', '/v1/me'],
    ['GET', '/v1/tickets'],
    ['DELETE', '/v1/webhooks/1'],
    ['GET', '/v1/me?access_token=x'],
    ['POST', '/oauth/userinfo'],
  ])('names the metadata without a token: %s %s', async (method, path) => {
    const { status, headers } = await new ApiClient(oauth.base).send(method, path);

    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe(`Bearer realm="deskwire", ${metadataOf()}`);
  });

  it('names the missing scope, and the metadata', async () => {
    const { account, sql } = oauth.desk;
    const grant = { accountId: account.id, agentId: account.owner.id };
    const token = await seedToken(sql, { ...grant, scopes: ['customers:read'] });
    const { status, headers } = await oauth.desk.client(token).get('/v1/tickets');

    expect(status).toBe(403);
    expect(headers.get('www-authenticate')).toMatch(/error="insufficient_scope", scope="tickets:read"/);
    expect(headers.get('www-authenticate')).toContain(metadataOf());
  });

  it('names the metadata if the role of the person is not enough', async () => {
    const { token } = await seedAgent(oauth.desk.sql, oauth.desk.account.id);
    const { status, body, headers } = await oauth.desk.client(token).post('/v1/agents', {
      email: 'new@acme.test',
      first_name: 'N',
      last_name: 'N',
    });

    expect([status, body.error]).toEqual([403, 'role_not_allowed']);
    expect(headers.get('www-authenticate')).toBe(`Bearer realm="deskwire", ${metadataOf()}`);
  });

  it('of a page or of the token endpoint names none', async () => {
    const answers = [
      await oauth.token({ client_secret: 'wrong' }),
      await new ApiClient(oauth.base).post('/sign-in', {}),
    ];

    expect(answers.map(({ status }) => status)).toEqual([401, 403]);
    for (const { headers } of answers) expect(headers.get('www-authenticate') ?? '').not.toContain('resource_metadata');
  });
});
