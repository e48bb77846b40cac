import { beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '#test/support/api-client.js';
import { eventually } from '#test/support/eventually.js';
import type { AppProcess } from '#test/support/app-process.js';
import { PASSWORD } from './support/oauth-desk.js';
import { oauthDeskForFile } from './support/oauth-desk-for-file.js';
import { Person } from './support/person.js';

const oauth = oauthDeskForFile();
let api: AppProcess;
beforeAll(async () => {
  api = await oauth.desk.apiProcess({ LOG_LEVEL: 'debug', ALLOW_QUERY_TOKENS: 'true' });
});

describe('the log', () => {
  it('shows the requests of a whole flow but none of its secrets, even at level debug', async () => {
    const person = new Person(api.base);
    await person.signIn(oauth.desk.account.owner.email, PASSWORD);
    const authorize = oauth.authorizePath({ state: 'state-of-the-application' });
    const code = (await person.decide(authorize, 'allow')).searchParams.get('code') ?? '';
    const client = new ApiClient(api.base);
    const { clientId, secret, redirectUri } = oauth.app;
    const credentials = { client_id: clientId, client_secret: secret, redirect_uri: redirectUri };
    const exchange = { ...credentials, grant_type: 'authorization_code', code };
    const tokens = (await client.post('/oauth/token', exchange)).body as Record<string, string>;
    const queried = await client.get(`/v1/tickets/1?access_token=${tokens['access_token'] ?? ''}`);
    await client.get(`/set-password/${'p'.repeat(43)}`);
    await client.post('/oauth/token', `{"client_secret":"${secret}",`);
    await client.post('/oauth/token', exchange);
    await client.get('/healthz', { 'x-request-id': 'the-last-one' });
    await eventually(() => api.output().includes('the-last-one'));

    expect(queried.status).toBe(404);
    expect(api.output()).toContain('/oauth/token');
    const secrets = [PASSWORD, secret, code, tokens['access_token'], tokens['refresh_token'], 'p'.repeat(43)];
    for (const hidden of [...secrets, ...person.cookies.values(), 'state-of-the-application'])
      expect(api.output()).not.toContain(hidden);
  });

  it('shows why a statement failed, but no value of the row, such as the hash of a password', async () => {
    const { account, sql } = oauth.desk;
    await sql.query("alter table agents add constraint refuses_it check (first_name <> 'Never-Logged')");
    const client = new ApiClient(api.base, account.owner.token);
    const { status } = await client.put(`/v1/agents/${account.owner.id}`, { first_name: 'Never-Logged' });
    await eventually(() => api.output().includes('request failed'));

    expect(status).toBe(500);
    expect(api.output()).toContain('violates check constraint \\"refuses_it\\"');
    for (const hidden of ['Never-Logged', '$argon2id']) expect(api.output()).not.toContain(hidden);
  });
});
