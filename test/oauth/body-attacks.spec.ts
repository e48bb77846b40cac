import { describe, expect, it } from 'vitest';
import { ApiClient } from '#test/support/api-client.js';
import { oauthDeskForFile } from './support/oauth-desk-for-file.js';

const oauth = oauthDeskForFile();

const ENDPOINTS = ['/oauth/token', '/oauth/revoke', '/oauth/introspect'];
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const send = (path: string, body: string, headers: Record<string, string> = {}) =>
  new ApiClient(oauth.base).post(path, body, headers);

const UNREADABLE: [string, string, Record<string, string>][] = [
  ['half of a JSON body', '{"grant_type":', {}],
  ['nothing at all', '', {}],
  ['a JSON list', '[1,2]', {}],
  ['a JSON text', '"grant_type"', {}],
  ['JSON null', 'null', {}],
  ['an unknown type', '<xml/>', { 'content-type': 'text/xml' }],
  ['more than a mebibyte', JSON.stringify({ code: 'x'.repeat(1_100_000) }), {}],
  ['a thousand nested lists', `{"code":${'['.repeat(1000)}${']'.repeat(1000)}}`, {}],
  ['a form nested without end', `code${'[a]'.repeat(1000)}=1`, FORM],
  ['a form that is not one', '%%%=%%%&=', FORM],
];

describe.each(ENDPOINTS)('%s', (path) => {
  it.each(UNREADABLE)('answers %s with an OAuth error only', async (_, body, headers) => {
    const answer = await send(path, body, headers);

    expect([400, 401]).toContain(answer.status);
    expect(Object.keys(answer.body)).toEqual(['error', 'error_description']);
    expect(answer.body.error).toMatch(/^invalid_(request|client)$/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.text).not.toMatch(/SyntaxError|Unexpected token|node_modules|select |at .+:\d+/);
  });

  it.each(['client_id', 'client_secret'])('rejects a %s that is not text', async (name) => {
    for (const value of [1, true, ['a'], { a: 1 }]) {
      const credentials = { client_id: oauth.app.clientId, client_secret: oauth.app.secret };
      const answer = await send(path, JSON.stringify({ ...credentials, [name]: value }));

      expect(answer.status).toBe(400);
      expect(answer.body.error).toBe('invalid_request');
    }
  });
});

describe('the token endpoint', () => {
  it.each(['grant_type', 'code', 'redirect_uri', 'code_verifier', 'refresh_token', 'scope'])(
    'rejects a %s that is not text, repeated, or contains a zero byte',
    async (name) => {
      const code = await oauth.code(await oauth.person());
      for (const value of [0, false, ['a', 'b'], { toString: 'x' }, 'a\0b'])
        expect((await oauth.exchange(code, { [name]: value })).body.error).toBe('invalid_request');
      const { clientId, secret, redirectUri } = oauth.app;
      const form = new URLSearchParams({ client_id: clientId, client_secret: secret, redirect_uri: redirectUri, code });
      form.append(name, 'one');
      form.append(name, 'two');

      expect((await send('/oauth/token', form.toString(), FORM)).body.error).toBe('invalid_request');
      expect((await oauth.exchange(code)).status).toBe(200);
    },
  );

  it.each(['__proto__', 'constructor', 'toString', 'password', 'client_credentials', 'implicit'])(
    'rejects the grant type %s',
    async (grantType) => {
      expect((await oauth.token({ grant_type: grantType })).body.error).toBe('unsupported_grant_type');
    },
  );

  it('reads no credentials from the prototype of a body', async () => {
    const { clientId, secret } = oauth.app;
    const answer = await send(
      '/oauth/token',
      `{"__proto__":{"client_id":"${clientId}","client_secret":"${secret}"},"grant_type":"authorization_code"}`,
    );

    expect(answer.body.error).toBe('invalid_client');
  });

  it('reads no credentials from the query', async () => {
    const query = new URLSearchParams({ client_id: oauth.app.clientId, client_secret: oauth.app.secret });
    const answer = await send(`/oauth/token?${query.toString()}`, '{"grant_type":"refresh_token"}');

    expect(answer.status).toBe(401);
  });

  it('rejects a client that authenticates in two ways at once', async () => {
    const basic = Buffer.from(`${oauth.app.clientId}:${oauth.app.secret}`).toString('base64');
    const credentials = { client_id: oauth.app.clientId, client_secret: oauth.app.secret };
    const body = JSON.stringify({ ...credentials, grant_type: 'refresh_token', refresh_token: 'unknown' });
    const answer = await send('/oauth/token', body, { authorization: `Basic ${basic}` });

    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe('invalid_request');
  });

  it.each(['Basic', 'Basic ====', 'Basic bm9jb2xvbg==', 'Basic JSU6JSU=', 'Bearer abc', 'Digest x'])(
    'answers the header “%s” with a challenge',
    async (authorization) => {
      const answer = await send('/oauth/token', '{"grant_type":"refresh_token"}', { authorization });

      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Basic realm="deskwire", charset="UTF-8"');
    },
  );

  it('answers only POST', async () => {
    const answer = await new ApiClient(oauth.base).get('/oauth/token?grant_type=authorization_code');

    expect(answer.status).toBe(405);
  });
});

describe('a page', () => {
  it.each([
    '/sign-in',
    '/forgot-password',
    '/sign-in/account',
    '/oauth/authorize?client_id=a%00b',
    '/set-password/%00',
  ])('survives requests that no browser sends: %s', async (path) => {
    const bodies = ['email=a%00b&password=x', 'email[]=a&email[]=b', 'email[a]=b', 'csrf[]=x', '', 'email=%ff'];
    for (const body of bodies) expect((await send(path, body, FORM)).status).toBeLessThan(500);
  });
});
