import { ApplicationsService } from '#libs/access';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '#test/support/api-client.js';
import { ClientHost } from './support/metadata-desk.js';
import { answerOf, submitConsent } from './support/consent.js';
import { PASSWORD, type TestApplication } from './support/oauth-desk.js';
import { oauthDeskForFile } from './support/oauth-desk-for-file.js';
import { Person } from './support/person.js';
import { challengeOf, newVerifier, publicTokens } from './support/pkce.js';

const oauth = oauthDeskForFile();
let person: Person;
beforeAll(async () => {
  person = await oauth.person();
});

interface MetadataClient {
  readonly host: ClientHost;
  readonly app: TestApplication;
}

/** A client that listens on a port of this machine, which its document does not name. */
async function newClient(changes: Record<string, unknown> = {}): Promise<MetadataClient> {
  const host = await ClientHost.start();
  host.publish(changes);
  return { host, app: { id: '', clientId: host.clientId, secret: '', redirectUri: 'http://127.0.0.1:51004/done' } };
}

const asking = (app: TestApplication, extra = {}) =>
  oauth.authorizePath({ scope: 'tickets:read', ...challengeOf(newVerifier()), ...extra }, app);

describe('a client that is known by its metadata document', () => {
  it('gets tokens at a port of this machine, refreshes, and ends the access', async () => {
    const { app, host } = await newClient();
    const tokens = await publicTokens(oauth, person, app, { scope: 'tickets:read' });
    const refreshed = (await oauth.refresh(tokens.refresh_token, {}, app)).body;
    const works = await oauth.works(refreshed.access_token);
    await new ApiClient(oauth.base).post('/oauth/revoke', { client_id: app.clientId, token: refreshed.refresh_token });

    expect([tokens.scope, refreshed.scope, works]).toEqual(['tickets:read', 'tickets:read', true]);
    expect(await oauth.works(refreshed.access_token)).toBe(false);
    expect(host.server.connections).toBe(1);
  });

  it('is shown with its host, where the answer goes, and without approval', async () => {
    const { app } = await newClient();
    const { html } = await person.get(asking(app));

    expect(html).toContain(`Described by its maker at ${new URL(app.clientId).host}`);
    expect(html).toContain('a program on this device (127.0.0.1)');
    expect(html).toContain('Not approved by the operator');
    await oauth.desk.api.get(ApplicationsService).approve({ clientId: app.clientId });
    const approved = await person.get(asking(app));
    expect(approved.html).toContain('Approved by the operator');
  });

  it('is asked about each time, and never answered without PKCE or in another place', async () => {
    const { app } = await newClient();
    await publicTokens(oauth, person, app);

    expect((await person.get(asking(app))).status).toBe(200);
    const silent = await person.get(asking(app, { prompt: 'none' }));
    expect([silent.status, silent.location]).toEqual([400, null]);
    const bare = await person.get(oauth.authorizePath({ state: 's' }, app));
    expect([bare.status, bare.location]).toEqual([400, null]);
    expect(bare.html).toContain('PKCE');
    for (const redirect_uri of ['http://127.0.0.1/other', 'https://evil.example/done', 'http://localhost/done'])
      expect((await person.get(asking(app, { redirect_uri }))).status).toBe(400);
  });

  it('cannot use a secret', async () => {
    const { app } = await newClient();
    const { refresh_token } = await publicTokens(oauth, person, app);
    const { body } = await oauth.refresh(refresh_token, { client_secret: 'x' }, app);

    expect(body.error).toBe('invalid_client');
  });

  it('stays refused when the operator has disabled it', async () => {
    const { app, host } = await newClient();
    const tokens = await publicTokens(oauth, person, app);
    await oauth.desk.api.get(ApplicationsService).disable({ clientId: app.clientId });
    oauth.desk.clock.advance({ hours: 1, minutes: 1 });

    expect(await oauth.works(tokens.access_token)).toBe(false);
    expect((await oauth.refresh(tokens.refresh_token, {}, app)).body.error).toBe('invalid_client');
    expect((await person.get(asking(app))).status).toBe(400);
    expect(host.server.connections).toBe(1);
  });

  it('gets no tokens before a person has allowed it', async () => {
    const { app, host } = await newClient();
    const { status, body } = await oauth.exchange('x', { code_verifier: newVerifier() }, app);

    expect([status, body.error, host.server.connections]).toEqual([401, 'invalid_client', 0]);
  });
});

describe('a person who is not signed in', () => {
  it.each([{}, { prompt: 'none' }, { prompt: 'login' }])(
    'causes no request to the host of a client: %j',
    async (extra) => {
      const { app, host } = await newClient();
      const stranger = new Person(oauth.base);
      const answers = [
        await stranger.get(asking(app, extra)),
        await stranger.post(asking(app, extra), { decision: 'allow' }),
      ];

      for (const { status, location } of answers) expect([status, location]).toEqual([303, '/sign-in']);
      expect(host.server.connections).toBe(0);
    },
  );

  it('reaches the consent page after the sign-in', async () => {
    const { app } = await newClient();
    const stranger = new Person(oauth.base);
    const signIn = await stranger.follow(await stranger.get(asking(app)));
    const { email } = oauth.desk.account.owner;
    const { location } = await stranger.submit(signIn, '/sign-in', { email, password: PASSWORD });

    expect(answerOf(await submitConsent(stranger, location ?? '', {}))).toMatchObject({ code: expect.any(String) });
  });
});

const DECEPTIVE = 'Desk\u202Ewire\u200B\u2066 Sup\u00ADport\u0000';

describe('a deceptive name', () => {
  it.each<[string, () => Promise<TestApplication>]>([
    ['in a metadata document', async () => (await newClient({ client_name: DECEPTIVE })).app],
    ['of an application of the account', () => oauth.application({ name: DECEPTIVE, isPublic: true })],
  ])('loses its invisible and reordering characters: %s', async (_, made) => {
    const { html } = await person.get(asking(await made()));

    expect(html).toContain('Desk wire Sup port');
    expect(html).not.toMatch(/[\p{Cf}\p{Co}]/u);
  });

  it('stands in its own direction', async () => {
    const { app } = await newClient({ client_name: 'تطبيق 123' });

    expect((await person.get(asking(app))).html).toContain('<bdi>تطبيق 123</bdi>');
  });
});
