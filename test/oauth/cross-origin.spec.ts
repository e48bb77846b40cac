import { describe, expect, it } from 'vitest';
import { ApiClient } from '#test/support/api-client.js';
import { oauthDeskForFile } from './support/oauth-desk-for-file.js';

const oauth = oauthDeskForFile();
const ORIGIN = { origin: 'https://app.example' };

const send = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown, token?: string) =>
  new ApiClient(oauth.base, token).send(method, path, body, { ...ORIGIN, ...headers });

const PATHS = [
  '/oauth/token',
  '/oauth/revoke',
  '/oauth/userinfo',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/openid-configuration',
];

describe('a page of another site', () => {
  it.each(PATHS)('may call %s, and read its errors', async (path) => {
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'mcp-protocol-version' };
    const preflight = await send('OPTIONS', path, asked);
    const answers = [
      preflight,
      await send('GET', path),
      await send('POST', path, { 'content-type': 'application/json' }, '{"a'),
      await send('POST', path, { 'content-type': 'application/x-www-form-urlencoded' }, 'grant_type=none'),
      await send('DELETE', path),
      await send('GET', `${path}/beneath`),
      await send('GET', `${path}?q=1`),
    ];

    expect([preflight.status, preflight.text]).toEqual([204, '']);
    const allowed = preflight.headers.get('access-control-allow-headers')!.toLowerCase().split(', ');
    expect(allowed).toEqual(expect.arrayContaining(['authorization', 'content-type', 'mcp-protocol-version']));
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
    expect(Number(preflight.headers.get('access-control-max-age'))).toBeGreaterThan(0);
    for (const { headers, status } of answers) {
      expect(status).toBeLessThan(500);
      expect([status, headers.get('access-control-allow-origin')]).toEqual([status, '*']);
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
    }
  });

  it('exchanges its code for tokens', async () => {
    const code = await oauth.code(await oauth.person());
    const { clientId: client_id, secret: client_secret, redirectUri: redirect_uri } = oauth.app;
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      client_id,
      client_secret,
      redirect_uri,
    });
    const answer = await fetch(`${oauth.base}/oauth/token`, { method: 'POST', headers: ORIGIN, body: form });

    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
  });

  it.each([
    '/oauth/authorize',
    '/oauth/introspect',
    '/oauth/tokens',
    '/sign-in',
    '/inbox',
    '/profile',
    '/mcp',
    '/.well-known/security.txt',
    '/',
  ])('may not read %s', async (path) => {
    const answers = [
      await send('OPTIONS', path, { 'access-control-request-method': 'GET' }),
      await send('GET', path),
      await send('POST', path, {}, {}),
    ];

    expect(answers.map(({ headers }) => headers.get('access-control-allow-origin'))).toEqual([null, null, null]);
  });

  it('gets metadata with the same headers from a cache that was filled without an origin', async () => {
    const { headers } = await new ApiClient(oauth.base).get('/.well-known/oauth-authorization-server');

    expect(headers.get('cache-control')).toContain('public');
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });
});
