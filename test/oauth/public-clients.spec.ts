import { beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '#test/support/api-client.js';
import type { TestApplication } from './support/oauth-desk.js';
import { oauthDeskForFile } from './support/oauth-desk-for-file.js';
import type { Person } from './support/person.js';
import { challengeOf, newVerifier, provenCode, publicTokens } from './support/pkce.js';

const oauth = oauthDeskForFile();
let person: Person;
let app: TestApplication;
beforeAll(async () => {
  person = await oauth.person();
  app = await oauth.application({
    isPublic: true,
    redirectUris: ['http://127.0.0.1/cb?x=1', 'http://[::1]:4001/cb', 'http://localhost/cb', 'https://app.example/cb'],
  });
});

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  new ApiClient(oauth.base).post(path, body, headers);

describe('a public client', () => {
  it('exchanges, refreshes and revokes without a secret', async () => {
    const tokens = await publicTokens(oauth, person, app);
    const refreshed = await oauth.refresh(tokens.refresh_token, {}, app);
    const { access_token, refresh_token } = refreshed.body;

    expect([await oauth.works(tokens.access_token), await oauth.works(access_token)]).toEqual([true, true]);
    expect((await post('/oauth/revoke', { client_id: app.clientId, token: refresh_token })).status).toBe(200);
    expect(await oauth.works(access_token)).toBe(false);
  });

  it.each([
    ['no challenge', {}],
    ['an empty challenge', { code_challenge: '' }],
    ['plain', { code_challenge: newVerifier(), code_challenge_method: 'plain' }],
    ['a challenge without a method', { code_challenge: newVerifier() }],
  ])('learns by redirect that it must use PKCE: %s', async (_, pkce) => {
    const { location } = await person.get(oauth.authorizePath({ ...pkce, state: 's' }, app));
    const target = new URL(location ?? '');

    expect(target.origin).toBe('http://127.0.0.1');
    expect(Object.fromEntries(target.searchParams)).toMatchObject({ x: '1', error: 'invalid_request', state: 's' });
    expect(target.searchParams.get('error_description')).toContain('PKCE');
  });

  it('exchanges no code without its verifier, and spends none', async () => {
    const { code, code_verifier } = await provenCode(oauth, person, app);

    for (const wrong of [undefined, newVerifier(), challengeOf(code_verifier).code_challenge])
      expect((await oauth.exchange(code, { code_verifier: wrong }, app)).body.error).toBe('invalid_grant');
    expect((await oauth.exchange(code, { code_verifier }, app)).status).toBe(200);
  });

  it.each([
    ['in the body', { client_secret: 'x' }, ''],
    ['in the header', {}, 'x'],
  ])('is refused with a secret %s', async (_, extra, password) => {
    const { refresh_token } = await publicTokens(oauth, person, app);
    const basic = `Basic ${Buffer.from(`${app.clientId}:${password}`).toString('base64')}`;
    const body = { client_id: app.clientId, grant_type: 'refresh_token', refresh_token, ...extra };
    const refused = await post('/oauth/token', body, password === '' ? {} : { authorization: basic });

    expect([refused.status, refused.body.error]).toEqual([401, 'invalid_client']);
    expect((await oauth.refresh(refresh_token, {}, app)).status).toBe(200);
  });

  it('introspects no token, not even its own', async () => {
    const { access_token: token } = await publicTokens(oauth, person, app);
    const { status, body } = await post('/oauth/introspect', { client_id: app.clientId, token });

    expect([status, body.error]).toEqual([401, 'invalid_client']);
  });

  it('has to ask each time, because others can pretend to be it', async () => {
    await publicTokens(oauth, person, app);
    const silent = await person.get(oauth.authorizePath({ ...challengeOf(newVerifier()), prompt: 'none' }, app));

    expect((await person.get(oauth.authorizePath(challengeOf(newVerifier()), app))).status).toBe(200);
    expect(new URL(silent.location ?? '').searchParams.get('error')).toBe('consent_required');
  });
});

const asked = async (redirect_uri: string, client = app) =>
  (await person.get(oauth.authorizePath({ ...challengeOf(newVerifier()), redirect_uri }, client))).status;

describe('the loopback address of a public client', () => {
  it.each([
    'http://127.0.0.1/cb?x=1',
    'http://127.0.0.1:1/cb?x=1',
    'http://127.0.0.1:65535/cb?x=1',
    'http://[::1]:51004/cb',
    'http://[::1]/cb',
    'http://localhost:8080/cb',
  ])('may have any port: %s', async (uri) => {
    expect(await asked(uri)).toBe(200);
  });

  it.each([
    ['a port over 65535', 'http://localhost:65536/cb'],
    ['a port of letters', 'http://localhost:8a/cb'],
    ['an empty port', 'http://localhost:/cb'],
    ['two ports', 'http://localhost:80:90/cb'],
    ['another loopback host', 'http://127.0.0.2:80/cb?x=1'],
    ['a host that only starts like it', 'http://127.0.0.1.evil.example:80/cb?x=1'],
    ['the host as a user name', 'http://localhost:80@evil.example/cb'],
    ['a user name', 'http://user@localhost:80/cb'],
    ['a user name and a password', 'http://a:80@localhost/cb'],
    ['another spelling of the host', 'http://127.1:80/cb?x=1'],
    ['capitals', 'http://LOCALHOST:80/cb'],
    ['a dot after the host', 'http://localhost.:80/cb'],
    ['another path', 'http://localhost:80/cb/'],
    ['a path with dots', 'http://localhost:80/a/../cb'],
    ['another query', 'http://127.0.0.1:80/cb?x=2'],
    ['no query', 'http://127.0.0.1:80/cb'],
    ['a fragment', 'http://localhost:80/cb#a'],
    ['a back slash', 'http://localhost:80\\@evil.example/cb'],
    ['a tab in the port', 'http://localhost:8\t0/cb'],
    ['https', 'https://localhost:80/cb'],
    ['a port for a host of the network', 'https://app.example:8443/cb'],
  ])('is otherwise compared by character: %s', async (_, uri) => {
    expect(await asked(uri)).toBe(400);
  });

  it('keeps its port when the code is exchanged', async () => {
    const uris = ['http://localhost:4001/cb', 'http://localhost:4002/cb'] as const;
    const { code, code_verifier } = await provenCode(oauth, person, app, { redirect_uri: uris[0] });

    const [first, second] = uris.map((redirect_uri) => ({ redirect_uri, code_verifier }));
    expect((await oauth.exchange(code, second, app)).body.error).toBe('invalid_grant');
    expect((await oauth.exchange(code, first, app)).status).toBe(200);
  });
});

describe('a private-use scheme', () => {
  it('gets the answer of a public client, and the policy of its page names it', async () => {
    const mobile = await oauth.application({ isPublic: true, redirectUris: ['com.example.app:/cb'] });
    const page = await person.get(oauth.authorizePath(challengeOf(newVerifier()), mobile));
    const { code } = await provenCode(oauth, person, mobile);

    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' com.example.app:;");
    expect(page.html).toContain('an app on this device (com.example.app:)');
    expect(code).not.toBe('');
    for (const uri of ['com.example.app://cb', 'com.example.app:/cb/', 'com.example.app2:/cb', 'com.example.app:80/cb'])
      expect(await asked(uri, mobile)).toBe(400);
  });

  it('is named by the page that leads to it after the sign-in', async () => {
    const mobile = await oauth.application({ isPublic: true, redirectUris: ['com.example.app:/cb'] });
    const { html } = await person.get(oauth.authorizePath({}, mobile), { 'sec-fetch-site': 'same-origin' });

    expect(html).toContain('Continue to an app on this device (com.example.app:)');
    expect(html).toContain('com.example.app:/cb?error=invalid_request');
  });

  it.each(['com.example.app:/cb', 'myapp:/cb', 'javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd'])(
    'is not for a client with a secret, nor is a scheme without a domain: %s',
    async (uri) => {
      const isPublic = !uri.startsWith('com.');
      await expect(oauth.application({ isPublic, redirectUris: [uri] })).rejects.toThrow('is not an absolute https');
    },
  );
});

describe('a second use by a public client', () => {
  it('of a refresh token ends the grant at once', async () => {
    const first = await publicTokens(oauth, person, app);
    const second = (await oauth.refresh(first.refresh_token, {}, app)).body;
    const repeated = await oauth.refresh(first.refresh_token, {}, app);

    expect(repeated.body.error).toBe('invalid_grant');
    expect(await oauth.works(second.access_token)).toBe(false);
    expect((await oauth.refresh(second.refresh_token, {}, app)).body.error).toBe('invalid_grant');
  });

  it('of a refresh token ends the grant in twenty concurrent attempts', async () => {
    const { refresh_token } = await publicTokens(oauth, person, app);
    const answers = await Promise.all(Array.from({ length: 20 }, () => oauth.refresh(refresh_token, {}, app)));

    const issued = answers.filter(({ status }) => status === 200);
    expect(issued).toHaveLength(1);
    expect(await oauth.works(issued[0]!.body.access_token)).toBe(false);
    expect((await oauth.refresh(issued[0]!.body.refresh_token, {}, app)).body.error).toBe('invalid_grant');
  });

  it('of a code ends the grant with the right verifier only', async () => {
    const { code, code_verifier } = await provenCode(oauth, person, app);
    const { access_token } = (await oauth.exchange(code, { code_verifier }, app)).body;
    const replay = async (verifier?: string) => {
      const { body } = await oauth.exchange(code, { code_verifier: verifier }, app);
      return [body.error, await oauth.works(access_token)];
    };

    for (const wrong of [undefined, newVerifier(), 'short'])
      expect(await replay(wrong)).toEqual(['invalid_grant', true]);
    expect(await replay(code_verifier)).toEqual(['invalid_grant', false]);
  });
});
