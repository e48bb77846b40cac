import { describe, expect, it } from 'vitest';
import { ApiClient } from '#test/support/api-client.js';
import { PASSWORD, REDIRECT_URI } from '../../oauth/support/oauth-desk.js';
import { oauthDeskForFile } from '../../oauth/support/oauth-desk-for-file.js';
import { Person } from '../../oauth/support/person.js';

const oauth = oauthDeskForFile();

describe('the authorization code flow', () => {
  it('leads from the application through sign-in and consent back to it, with code, state and iss', async () => {
    const person = new Person(oauth.base);
    const asked = await person.get(oauth.authorizePath({ state: 'xyz & +1' }));
    const signIn = await person.follow(asked);
    const signedIn = await person.submit(signIn, '/sign-in', {
      email: oauth.desk.account.owner.email,
      password: PASSWORD,
    });
    expect(signedIn.location).toBe(oauth.authorizePath({ state: 'xyz & +1' }));
    const answer = await person.decide(signedIn.location ?? '', 'allow');

    expect(answer.href.startsWith(`${REDIRECT_URI}&`)).toBe(true);
    expect(Object.fromEntries(answer.searchParams)).toEqual({
      from: 'deskwire',
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: 'xyz & +1',
      iss: oauth.base,
    });
  });

  it('answers the token request with the four fields of the specification, in order', async () => {
    const answer = await oauth.exchange(await oauth.code(await oauth.person()));

    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(Object.keys(answer.body)).toEqual(['access_token', 'token_type', 'expires_in', 'refresh_token']);
    expect(answer.body).toMatchObject({ token_type: 'bearer', expires_in: 7200 });
    expect(await oauth.works(answer.body.access_token)).toBe(true);
  });

  it('reports to the application that the person denied access', async () => {
    const person = await oauth.person();
    const answer = await person.decide(oauth.authorizePath({ state: 's', prompt: 'consent' }), 'deny');

    expect(answer.searchParams.get('error')).toBe('access_denied');
    expect(answer.searchParams.get('state')).toBe('s');
    expect(answer.searchParams.get('iss')).toBe(oauth.base);
    expect(answer.searchParams.has('code')).toBe(false);
  });

  it('shows the application, the account and the permissions', async () => {
    const person = await oauth.person();
    const { html } = await person.get(oauth.authorizePath({ scope: 'read webhooks', prompt: 'consent' }));

    for (const words of [
      'Ticket Mirror',
      'app.example',
      'Acme',
      'Read all tickets',
      'internal notes',
      'Register webhooks',
      'Not you?',
    ])
      expect(html).toContain(words);
    expect(html).not.toContain('Manage agents');
  });

  it('warns that the webhooks scope without read delivers no records', async () => {
    const person = await oauth.person();
    const { html } = await person.get(oauth.authorizePath({ scope: 'webhooks', prompt: 'consent' }));

    expect(html).toContain('It cannot register webhooks or receive records');
    expect(html).not.toContain('Register webhooks');
  });
});

describe('the scopes of a grant', () => {
  it('default to all scopes of the application', async () => {
    const app = await oauth.application({ scopes: ['read', 'webhooks'] });
    const { access_token, scope } = await oauth.tokens(await oauth.person(), {}, app);
    const client = new ApiClient(oauth.base, access_token);

    expect(scope).toBeUndefined();
    expect((await client.get('/v1/tickets/1')).status).toBe(404);
    const refused = await client.post('/v1/tickets', {});
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toContain(
      'error="insufficient_scope", scope="tickets:write messages:write"',
    );
  });

  it('appear in the response when the application requests them, and can be reduced on refresh', async () => {
    const first = await oauth.tokens(await oauth.person(), { scope: 'write read' });
    const refreshed = await oauth.refresh(first.refresh_token, { scope: 'read' });

    expect(first.scope).toBe('read write');
    expect(refreshed.body.scope).toBe('read');
    expect((await new ApiClient(oauth.base, refreshed.body.access_token).post('/v1/tickets', {})).status).toBe(403);
    expect((await oauth.refresh(refreshed.body.refresh_token)).body.scope).toBe('read write');
  });

  it('cannot grow on refresh, and the refresh token stays valid', async () => {
    const { refresh_token } = await oauth.tokens(await oauth.person(), { scope: 'read' });
    const refused = await oauth.refresh(refresh_token, { scope: 'read admin' });

    expect(refused.status).toBe(400);
    expect(refused.body.error).toBe('invalid_scope');
    expect((await oauth.refresh(refresh_token)).status).toBe(200);
  });
});

describe('a refresh', () => {
  it('fails after thirty days without use', async () => {
    const { refresh_token } = await oauth.tokens(await oauth.person());
    oauth.desk.clock.advance({ days: 30, seconds: 1 });

    expect((await oauth.refresh(refresh_token)).body.error).toBe('invalid_grant');
  });
});

describe('an access token', () => {
  it('expires after two hours', async () => {
    const { access_token } = await oauth.tokens(await oauth.person());
    oauth.desk.clock.advance({ seconds: 7199 });
    expect(await oauth.works(access_token)).toBe(true);
    oauth.desk.clock.advance({ seconds: 2 });

    expect(await oauth.works(access_token)).toBe(false);
  });

  it('must be valid: a 401 names the reason in its challenge', async () => {
    const none = await new ApiClient(oauth.base).get('/v1/tickets/1');
    const wrong = await new ApiClient(oauth.base, 'wrong').get('/v1/tickets/1');

    expect(none.status).toBe(401);
    expect(none.headers.get('www-authenticate')).toBe(
      `Bearer realm="deskwire", resource_metadata="${oauth.base}/.well-known/oauth-protected-resource"`,
    );
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(wrong.headers.get('content-type')).toContain('application/problem+json');
    expect(wrong.body).toMatchObject({ status: 401, error: 'invalid_token' });
  });

  it('does not work in the query by default', async () => {
    const { access_token } = await oauth.tokens(await oauth.person());

    expect((await new ApiClient(oauth.base).get(`/v1/tickets/1?access_token=${access_token}`)).status).toBe(401);
  });
});
