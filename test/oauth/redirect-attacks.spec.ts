import { beforeAll, describe, expect, it } from 'vitest';
import type { TestApplication } from './support/oauth-desk.js';
import { oauthDeskForFile } from './support/oauth-desk-for-file.js';
import type { Person } from './support/person.js';

const oauth = oauthDeskForFile();
let app: TestApplication;
let person: Person;
beforeAll(async () => {
  app = await oauth.application({ redirectUris: ['https://app.example:8443/cb/done?x=1', 'http://127.0.0.1:4001/cb'] });
  person = await oauth.person();
});

const NEAR_MISSES = {
  'another case of the host': 'https://APP.example:8443/cb/done?x=1',
  'another case of the path': 'https://app.example:8443/CB/done?x=1',
  'another scheme': 'http://app.example:8443/cb/done?x=1',
  'another port': 'https://app.example:8444/cb/done?x=1',
  'no port': 'https://app.example/cb/done?x=1',
  'another port on the loopback': 'http://127.0.0.1:4002/cb',
  'localhost for 127.0.0.1': 'http://localhost:4001/cb',
  'a longer path': 'https://app.example:8443/cb/done/more?x=1',
  'a shorter path': 'https://app.example:8443/cb?x=1',
  'a path with dots that comes to the same': 'https://app.example:8443/cb/other/../done?x=1',
  'a trailing slash': 'http://127.0.0.1:4001/cb/',
  'a longer query': 'https://app.example:8443/cb/done?x=1&y=2',
  'another query': 'https://app.example:8443/cb/done?x=2',
  'no query': 'https://app.example:8443/cb/done',
  'a fragment': 'https://app.example:8443/cb/done?x=1#here',
  'a user name': 'https://user@app.example:8443/cb/done?x=1',
  'the host as a user name': 'https://app.example:8443@evil.example/cb/done?x=1',
  'the host as a subdomain': 'https://app.example.evil.example:8443/cb/done?x=1',
  'the host as a suffix': 'https://evilapp.example:8443/cb/done?x=1',
  'an encoded letter': 'https://app.example:8443/cb/d%6Fne?x=1',
  'an encoded slash': 'https://app.example:8443/cb%2Fdone?x=1',
  'a back slash': 'https://app.example:8443\\@evil.example/cb/done?x=1',
  'a space before it': ' http://127.0.0.1:4001/cb',
  'a line break after it': 'http://127.0.0.1:4001/cb\r\nSet-Cookie: a=b',
  'a null byte after it': 'http://127.0.0.1:4001/cb\0',
  'a host without a scheme': '//evil.example/cb',
  'a script': 'javascript:alert(1)',
  'another site altogether': 'https://evil.example/',
} as const;

const authorize = (changes: Record<string, string>) => oauth.authorizePath(changes, app);

describe('a redirect_uri that resembles the registered one', () => {
  it.each(Object.entries(NEAR_MISSES))('fails on our own page, and exchanges no code: %s', async (_, redirectUri) => {
    const page = await person.get(authorize({ redirect_uri: redirectUri }));
    const code = await oauth.code(person, {}, app);
    const refused = await oauth.exchange(code, { redirect_uri: redirectUri }, app);

    expect([page.status, page.location]).toEqual([400, null]);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.html).not.toContain('href="http');
    expect([refused.status, refused.body.error]).toEqual([400, expect.stringMatching(/^invalid_(grant|request)$/)]);
    expect((await oauth.exchange(code, {}, app)).status).toBe(200);
  });

  it('fails if it is registered for another application', async () => {
    expect((await person.get(oauth.authorizePath({ redirect_uri: app.redirectUri }))).status).toBe(400);
  });

  it('fails if it is registered but belongs to another code', async () => {
    const code = await oauth.code(person, {}, app);
    const refused = await oauth.exchange(code, { redirect_uri: 'http://127.0.0.1:4001/cb' }, app);

    expect(refused.body.error).toBe('invalid_grant');
  });
});

describe('an authorization request without a known client and redirect_uri', () => {
  it.each([
    ['an unknown client', { client_id: 'unknown' }],
    ['no client', { client_id: '' }],
    ['no redirect_uri', { redirect_uri: '' }],
  ])('never redirects: %s', async (_, changes) => {
    const page = await person.get(authorize(changes));

    expect(page.status).toBe(400);
    expect(page.location).toBeNull();
  });

  it('never redirects if it comes as a form', async () => {
    const page = await person.post(authorize({ redirect_uri: 'https://evil.example/' }), { decision: 'allow' });

    expect(page.status).toBe(400);
    expect(page.location).toBeNull();
  });
});

describe('an error after the redirect_uri is verified', () => {
  it.each([
    ['unsupported_response_type', { response_type: 'token' }],
    ['unsupported_response_type', { response_type: 'code token' }],
    ['invalid_request', { response_type: '' }],
    ['invalid_scope', { scope: 'read everything' }],
    ['invalid_request', { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge: 'x'.repeat(43) }],
    ['invalid_request', { code_challenge: 'short', code_challenge_method: 'S256' }],
    ['invalid_request', { code_challenge_method: 'S256' }],
  ])('reaches the application: %s %o', async (error, changes) => {
    const page = await person.get(authorize({ state: 'kept', ...changes }));
    const target = new URL(page.location ?? '');

    expect(page.status).toBe(303);
    expect(target.origin).toBe('https://app.example:8443');
    expect(target.searchParams.get('error')).toBe(error);
    expect(target.searchParams.get('state')).toBe('kept');
    expect(target.searchParams.get('iss')).toBe(oauth.base);
    expect(target.searchParams.get('error_description')).toMatch(/^[\x20-\x7e]+$/);
  });
});

describe('parameter pollution', () => {
  it.each(['client_id=other', 'redirect_uri=https%3A%2F%2Fevil.example%2F'])(
    'fails on our own page for %s',
    async (again) => {
      const page = await person.get(`${authorize({})}&${again}`);

      expect(page.status).toBe(400);
      expect(page.location).toBeNull();
    },
  );

  it.each(['response_type=token', 'scope=admin', 'state=b', 'code_challenge=x'])(
    'fails by redirect for %s',
    async (again) => {
      const [name = ''] = again.split('=');
      const page = await person.get(`${authorize({ scope: 'read', state: 'a', code_challenge: 'y' })}&${again}`);
      const target = new URL(page.location ?? '');

      expect(target.origin).toBe('https://app.example:8443');
      expect(target.searchParams.get('error')).toBe('invalid_request');
      expect(target.searchParams.get('error_description')).toContain(name);
      expect(target.searchParams.has('code')).toBe(false);
    },
  );

  it('changes nothing with unknown parameters', async () => {
    expect((await person.get(`${authorize({ prompt: 'consent' })}&theme=dark&theme=light`)).status).toBe(200);
  });
});
