import { beforeAll, describe, expect, it } from 'vitest';
import { ApiClient, type ApiResponse } from '#test/support/api-client.js';
import { answerOf } from './support/consent.js';
import { PASSWORD } from './support/oauth-desk.js';
import { oauthDeskForFile } from './support/oauth-desk-for-file.js';
import { type Page, Person, csrfOf } from './support/person.js';
import { provenCode } from './support/pkce.js';

const oauth = oauthDeskForFile();
const path = (extra: Record<string, string> = {}) => oauth.authorizePath({ prompt: 'consent', state: 's', ...extra });

describe('a redirect after a form', () => {
  it('has the status 303, with which no browser sends the form again', async () => {
    const { email } = oauth.desk.account.owner;
    const person = new Person(oauth.base);
    const signIn = await person.signIn(email, PASSWORD);
    const consent = await person.get(path());
    const answers: Page[] = [
      signIn,
      await person.submit(consent, path(), { decision: 'allow' }),
      await person.submit(consent, path(), { decision: 'deny' }),
      await person.submit(consent, path({ scope: 'unknown' }), { decision: 'allow' }),
      await new Person(oauth.base).post(path(), { decision: 'allow', email, password: PASSWORD }),
      await person.act('/sign-out'),
    ];

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 303));
    for (const { html } of answers) expect(html).toBe('');
  });

  it('leads nowhere from the endpoints of clients', async () => {
    const client = new ApiClient(oauth.base);
    for (const endpoint of ['token', 'token/', 'revoke', 'introspect', 'userinfo', 'TOKEN', '/token'])
      expect((await client.post(`/oauth/${endpoint}`, {})).headers.get('location')).toBeNull();
  });
});

describe('an answer to the application', () => {
  it('names the issuer, whether it is a code or an error', async () => {
    const person = await oauth.person();
    const consent = await person.get(path());
    const answers = [
      await person.submit(consent, path(), { decision: 'allow' }),
      await person.submit(consent, path(), { decision: 'deny' }),
      await person.get(path({ scope: 'unknown' })),
      await person.get(path({ response_type: 'token' })),
      await person.get(path({ resource: 'unknown' })),
      await new Person(oauth.base).get(path({ prompt: 'none' })),
    ];

    for (const answer of answers) expect(answerOf(answer)).toMatchObject({ iss: oauth.base, state: 's' });
  });

  it('binds the code to the browser that asked: another verifier does not redeem it', async () => {
    const app = await oauth.application({ isPublic: true });
    const victim = await provenCode(oauth, await oauth.person(), app);
    const mallory = await provenCode(oauth, await oauth.person((await oauth.agent()).email), app);

    const injected = await oauth.exchange(victim.code, { code_verifier: mallory.code_verifier }, app);
    expect(injected.body.error).toBe('invalid_grant');
  });
});

describe('an application that the operator has not approved', () => {
  it.each([{ scope: 'unknown' }, { prompt: 'none' }, { response_type: 'token' }, { state: 'x'.repeat(2_000) }])(
    'cannot send anyone to its site without their consent: %j',
    async (extra) => {
      const app = await oauth.application({ makerAccountId: oauth.desk.account.id });
      const approved = await oauth.application({});
      const strangers = [new Person(oauth.base), await oauth.person()];

      for (const person of strangers) {
        expect(await person.get(oauth.authorizePath(extra, app))).toMatchObject({ status: 400, location: null });
        expect((await person.get(oauth.authorizePath(extra, approved))).location).toContain('app.example');
      }
    },
  );
});

describe('a consent page that was opened in another browser', () => {
  it('is of no use there', async () => {
    const consent = await (await oauth.person()).get(path());
    const other = await oauth.person((await oauth.agent()).email);

    expect(await other.post(path(), { csrf: csrfOf(consent), decision: 'allow' })).toMatchObject({
      status: 403,
      location: null,
    });
  });
});

describe('the metadata of the server', () => {
  let metadata: ApiResponse['body'];
  beforeAll(async () => {
    metadata = (await new ApiClient(oauth.base).get('/.well-known/oauth-authorization-server')).body;
  });

  it('lists endpoints that exist', async () => {
    const names = Object.keys(metadata).filter((name) => name.endsWith('_endpoint'));
    const statuses = [];
    for (const name of names) {
      const method = name === 'authorization_endpoint' ? 'GET' : 'POST';
      statuses.push(
        (await new ApiClient(oauth.base).send(method, metadata[name], method === 'GET' ? undefined : {})).status,
      );
    }

    expect(names).toHaveLength(5);
    expect(statuses).toEqual([400, 401, 401, 401, 401]);
    expect((await new ApiClient(oauth.base).get(metadata.service_documentation)).status).toBe(200);
  });

  it('lists scopes and prompts that are accepted', async () => {
    const person = await oauth.person();
    for (const scope of metadata.scopes_supported)
      expect([scope, (await person.get(path({ scope }))).status]).toEqual([scope, 200]);
    for (const prompt of metadata.prompt_values_supported) {
      const page = await person.get(path({ prompt, scope: 'settings' }));
      expect([prompt, page.location ?? '']).toEqual([prompt, expect.not.stringContaining('invalid_request')]);
    }
  });

  it('lists no way to get a token that RFC 9700 advises against', () => {
    expect(metadata).toMatchObject({
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      introspection_endpoint_auth_methods_supported: expect.not.arrayContaining(['none']),
      authorization_response_iss_parameter_supported: true,
    });
  });

  it.each(['client_secret_basic', 'client_secret_post', 'none'])(
    'lists how clients authenticate: %s',
    async (method) => {
      const app = await oauth.application({ isPublic: method === 'none' });
      const basic = { authorization: `Basic ${Buffer.from(`${app.clientId}:${app.secret}`).toString('base64')}` };
      const inBody = { client_id: app.clientId, ...(method === 'client_secret_post' && { client_secret: app.secret }) };
      const isBasic = method === 'client_secret_basic';
      const request = { grant_type: 'refresh_token', refresh_token: 'unknown', ...(!isBasic && inBody) };
      const { body } = await new ApiClient(oauth.base).post('/oauth/token', request, isBasic ? basic : {});

      expect(metadata.token_endpoint_auth_methods_supported).toContain(method);
      expect(body.error).toBe('invalid_grant');
    },
  );
});
