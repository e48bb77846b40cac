import { describe, expect, it } from 'vitest';
import { ApiClient } from '#test/support/api-client.js';
import { oauthDeskForFile } from './support/oauth-desk-for-file.js';

const oauth = oauthDeskForFile();

const send = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown, token?: string) =>
  new ApiClient(oauth.base, token).send(method, path, body, headers);

describe('/.well-known/openid-configuration', () => {
  it('answers with the metadata of OAuth, and the address of userinfo', async () => {
    const { body } = await oauth.desk.anonymous().get('/.well-known/openid-configuration');

    expect(body.userinfo_endpoint).toBe(`${oauth.base}/oauth/userinfo`);
    expect(body).toEqual((await oauth.desk.anonymous().get('/.well-known/oauth-authorization-server')).body);
  });
});

describe('/oauth/userinfo', () => {
  it.each(['GET', 'POST'])('tells the owner of a token of any scope: %s', async (method) => {
    const { account } = oauth.desk;
    const { access_token } = await oauth.tokens(await oauth.person(), { scope: 'webhooks' });
    const { status, body, headers } = await oauth.desk.client(access_token).send(method, '/oauth/userinfo');

    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({
      sub: account.owner.id,
      email: account.owner.email,
      name: 'Maya Lind',
      account: { id: account.id, name: 'Acme' },
    });
  });

  it('refuses as RFC 6750 says: no token, a revoked one, a session', async () => {
    const person = await oauth.person();
    const { access_token: token } = await oauth.tokens(person);
    await new ApiClient(oauth.base).post('/oauth/revoke', {
      client_id: oauth.app.clientId,
      client_secret: oauth.app.secret,
      token,
    });
    const answers = [
      await send('GET', '/oauth/userinfo'),
      await send('GET', '/oauth/userinfo', { cookie: person.cookieHeader }),
      await send('POST', '/oauth/userinfo', {}, {}, token),
    ];

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    const [missing, , revoked] = answers.map(({ headers }) => headers.get('www-authenticate'));
    expect(missing).toMatch(/^Bearer /);
    expect(missing).not.toContain('error=');
    expect(revoked).toContain('error="invalid_token"');
  });
});
