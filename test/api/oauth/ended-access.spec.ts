import { randomUUID } from 'node:crypto';
import { ApplicationsService, GrantsService } from '#libs/access';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '#test/support/api-client.js';
import { oauthDeskForFile } from '../../oauth/support/oauth-desk-for-file.js';
import type { AppProcess } from '#test/support/app-process.js';
import type { Person } from '../../oauth/support/person.js';
import { seedAccount } from '#test/support/seed.js';

const oauth = oauthDeskForFile();
let person: Person;
beforeAll(async () => {
  person = await oauth.person();
});

const ask = (path: string, body: object, app = oauth.app) =>
  new ApiClient(oauth.base).post(path, { client_id: app.clientId, client_secret: app.secret, ...body });

async function webhookOf(accessToken: string): Promise<string> {
  const body = { event: 'ticket_started', url: `https://receiver.example/${randomUUID()}` };
  const answer = await new ApiClient(oauth.base, accessToken).post('/v1/webhooks', body);
  return answer.body.webhook.id as string;
}

async function stateOf(webhookId: string): Promise<unknown> {
  const { rows } = await oauth.desk.sql.query('select state, disabled_reason as reason from webhooks where id = $1', [
    webhookId,
  ]);
  return rows[0];
}

const STOPPED = { state: 'disabled', reason: 'access_revoked' };

describe('POST /oauth/revoke', () => {
  it('ends the grant, its access tokens and its webhooks with a refresh token', async () => {
    const tokens = await oauth.tokens(person);
    const webhook = await webhookOf(tokens.access_token);
    const answer = await ask('/oauth/revoke', { token: tokens.refresh_token });

    expect(answer.status).toBe(200);
    expect(await oauth.works(tokens.access_token)).toBe(false);
    expect((await oauth.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
    expect(await stateOf(webhook)).toEqual(STOPPED);
  });

  it('ends only the token with an access token', async () => {
    const tokens = await oauth.tokens(person);
    await ask('/oauth/revoke', { token: tokens.access_token });

    expect(await oauth.works(tokens.access_token)).toBe(false);
    expect((await oauth.refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('ignores a token of another application, with the same response', async () => {
    const other = await oauth.application({ name: 'Other' });
    const tokens = await oauth.tokens(person);
    const answer = await ask('/oauth/revoke', { token: tokens.refresh_token }, other);

    expect(answer.status).toBe(200);
    expect(await oauth.works(tokens.access_token)).toBe(true);
    expect((await ask('/oauth/revoke', { token: 'unknown' })).status).toBe(200);
  });
});

describe('POST /oauth/introspect', () => {
  it('describes the live tokens of the calling application', async () => {
    const tokens = await oauth.tokens(person, { scope: 'read' });
    const { body } = await ask('/oauth/introspect', { token: tokens.access_token });

    expect(body).toEqual({
      active: true,
      scope: 'read',
      client_id: oauth.app.clientId,
      token_type: 'bearer',
      exp: body.iat + 7200,
      iat: expect.any(Number),
      sub: oauth.desk.account.owner.id,
      iss: oauth.base,
      aud: [oauth.base],
      account: { id: oauth.desk.account.id, name: expect.any(String) },
    });
    expect((await ask('/oauth/introspect', { token: tokens.refresh_token })).body.active).toBe(true);
  });

  it('answers only “not active” for a spent, revoked, foreign or unknown token', async () => {
    const other = await oauth.application({ name: 'Other' });
    const tokens = await oauth.tokens(person);
    const foreign = await ask('/oauth/introspect', { token: tokens.access_token }, other);
    await oauth.refresh(tokens.refresh_token);
    const spent = await ask('/oauth/introspect', { token: tokens.refresh_token });
    await ask('/oauth/revoke', { token: tokens.access_token });
    const revoked = await ask('/oauth/introspect', { token: tokens.access_token });
    const unknown = await ask('/oauth/introspect', { token: 'unknown' });

    for (const { body } of [foreign, spent, revoked, unknown]) expect(body).toEqual({ active: false });
  });
});

describe('GET /.well-known/oauth-authorization-server', () => {
  it('lists every endpoint and the supported options', async () => {
    const { body } = await new ApiClient(oauth.base).get('/.well-known/oauth-authorization-server');

    expect(body).toMatchObject({
      issuer: oauth.base,
      token_endpoint: `${oauth.base}/oauth/token`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    });
  });
});

describe('the access of an application or agent', () => {
  let second: AppProcess;
  beforeAll(async () => {
    second = await oauth.desk.apiProcess();
  });

  const works = async (token: string) => {
    const { status } = await new ApiClient(second.base, token).get('/v1/tickets/1');
    return [await oauth.works(token), status !== 401];
  };

  it('ends in every process when the person revokes it, and stops its webhooks', async () => {
    const { access_token, refresh_token } = await oauth.tokens(person);
    const webhook = await webhookOf(access_token);
    expect(await works(access_token)).toEqual([true, true]);
    const { id, owner } = oauth.desk.account;
    await oauth.desk.api.get(GrantsService).revokeApplication(id, oauth.app.id, { by: owner.id, grantedBy: owner.id });

    expect(await works(access_token)).toEqual([false, false]);
    expect((await oauth.refresh(refresh_token)).body.error).toBe('invalid_grant');
    expect(await stateOf(webhook)).toEqual(STOPPED);
  });

  it('ends when the operator disables the application; enabling restores the tokens but not the webhooks', async () => {
    const app = await oauth.application({ name: 'Switched off' });
    const { access_token, refresh_token } = await oauth.tokens(person, {}, app);
    const webhook = await webhookOf(access_token);
    const applications = oauth.desk.api.get(ApplicationsService);
    expect(await applications.disable({ clientId: app.clientId })).toBe(1);

    expect(await works(access_token)).toEqual([false, false]);
    expect((await oauth.refresh(refresh_token, {}, app)).body.error).toBe('invalid_client');
    expect((await person.get(oauth.authorizePath({}, app))).status).toBe(400);
    expect(await stateOf(webhook)).toEqual(STOPPED);
    await applications.enable({ clientId: app.clientId });
    expect(await works(access_token)).toEqual([true, true]);
    expect(await stateOf(webhook)).toEqual(STOPPED);
  });

  it('ends with tokens and sessions when the agent is archived', async () => {
    const agent = await oauth.agent();
    const archived = await oauth.person(agent.email);
    const { access_token } = await oauth.tokens(archived);
    expect(await works(access_token)).toEqual([true, true]);
    await oauth.desk.sql.query("update agents set state = 'archived' where id = $1", [agent.id]);

    expect(await works(access_token)).toEqual([false, false]);
    expect(await works(agent.token)).toEqual([false, false]);
    expect((await archived.get(oauth.authorizePath())).location).toBe('/sign-in');
  });
});

describe('an agent who is archived and restored', () => {
  it('returns without the earlier sessions, tokens and webhooks', async () => {
    const agent = await oauth.agent();
    const before = await oauth.person(agent.email);
    const { access_token, refresh_token } = await oauth.tokens(before);
    const webhook = await new ApiClient(oauth.base, access_token).post('/v1/webhooks', {
      event: 'note_added',
      url: 'https://a.example/',
    });
    const path = `/v1/agents/${agent.email}`;

    await oauth.desk.client().post(`${path}/archive`);
    const restored = await oauth.desk.client().post(`${path}/restore`);

    expect(restored.body.agent.state).toBe('active');
    expect([await oauth.works(access_token), await oauth.works(agent.token)]).toEqual([false, false]);
    expect((await oauth.refresh(refresh_token)).body.error).toBe('invalid_grant');
    expect((await before.get(oauth.authorizePath())).location).toBe('/sign-in');
    expect(
      (await oauth.desk.client().get(`/v1/webhooks/${webhook.body.webhook.id}`)).body.webhook.disabled_reason,
    ).toBe('access_revoked');
    expect((await (await oauth.person(agent.email)).get(oauth.authorizePath())).status).toBe(200);
  });
});

describe('a rotated client secret', () => {
  it('replaces the old secret, which stays valid during the overlap', async () => {
    const app = await oauth.application({ name: 'Rotated' });
    const { clientSecret } = await oauth.desk.api.get(ApplicationsService).rotateSecret({ clientId: app.clientId }, 1);
    const works = async (secret: string) =>
      (await oauth.exchange('x', { client_secret: secret }, app)).body.error === 'invalid_grant';

    expect([await works(app.secret), await works(clientSecret)]).toEqual([true, true]);
    oauth.desk.clock.advance({ hours: 1, seconds: 1 });
    expect([await works(app.secret), await works(clientSecret)]).toEqual([false, true]);
  });
});

describe('a token of one account', () => {
  it('appears with its scopes for its owner, and not in another account', async () => {
    const stranger = await seedAccount(oauth.desk.sql, { name: 'Initech' });
    const agent = await oauth.agent();
    await oauth.tokens(await oauth.person(agent.email), { scope: 'read' });
    const consents = oauth.desk.api.get(GrantsService);

    expect(await consents.list(oauth.desk.account.id, agent.id)).toMatchObject([
      { name: 'Ticket Mirror', agent: agent.email, scopes: ['read'], webhooks: 0 },
    ]);
    expect(await consents.list(stranger.id)).toEqual([]);
  });

  it('keeps its application listed while a webhook is active, after the token has expired', async () => {
    const agent = await oauth.agent();
    const { access_token } = await oauth.tokens(await oauth.person(agent.email), { scope: 'read webhooks' });
    const client = oauth.desk.client(access_token);
    const { webhook } = (await client.post('/v1/webhooks', { event: 'note_added', url: 'https://x.example/' })).body;
    await oauth.desk.sql.query(
      `update tokens set expires_at = now() - interval '1 day'
       where grant_id in (select id from grants where agent_id = $1)`,
      [agent.id],
    );
    const listed = () => oauth.desk.api.get(GrantsService).list(oauth.desk.account.id, agent.id);

    expect(await listed()).toMatchObject([{ name: 'Ticket Mirror', webhooks: 1 }]);
    await oauth.desk.client().delete(`/v1/webhooks/${webhook.id}`);
    expect(await listed()).toEqual([]);
  });
});
