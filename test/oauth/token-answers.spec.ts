import { beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '#test/support/api-client.js';
import { oauthDeskForFile } from './support/oauth-desk-for-file.js';
import type { Person } from './support/person.js';
import { challengeOf, newVerifier } from './support/pkce.js';

const oauth = oauthDeskForFile();
let person: Person;
beforeAll(async () => {
  person = await oauth.person();
});

const post = (path: string, token: string) => {
  const { clientId: client_id, secret: client_secret } = oauth.app;
  return new ApiClient(oauth.base).post(path, { client_id, client_secret, token });
};
const isActive = async (token: string) => (await post('/oauth/introspect', token)).body.active as boolean;

/** Of the newest grant. */
async function revokedReason(): Promise<unknown> {
  const { rows } = await oauth.desk.sql.query<{ revoked_reason: string }>(
    'select revoked_reason from grants where application_id = $1 order by id desc limit 1',
    [oauth.app.id],
  );
  return rows[0]?.revoked_reason;
}

describe('a refused code', () => {
  it.each<[string, (code: string) => unknown, Record<string, string>]>([
    ['is unknown', () => undefined, { code: 'unknown' }],
    ['was used before', (code) => oauth.exchange(code), {}],
    ['redirect_uri differs', () => undefined, { redirect_uri: 'https://app.example/' }],
    ['code_verifier does not match', () => undefined, { code_verifier: newVerifier() }],
    ['has expired or was revoked', () => oauth.desk.clock.advance({ seconds: 61 }), {}],
  ])('comes with the reason: %s', async (reason, prepare, extra) => {
    const code = await oauth.code(person);
    await prepare(code);
    const { body } = await oauth.exchange(code, extra);

    expect(body).toEqual({ error: 'invalid_grant', error_description: expect.stringContaining(reason) });
  });

  it('ends the grant if it was used before, with the reason on record', async () => {
    const code = await oauth.code(person);
    await oauth.exchange(code);
    await oauth.exchange(code);

    expect(await revokedReason()).toBe('code_replayed');
  });
});

describe('a code of a client with a secret', () => {
  it('ends the grant at the second use without its verifier too, because the secret proves the client', async () => {
    const code_verifier = newVerifier();
    const code = await oauth.code(person, challengeOf(code_verifier));
    const { access_token } = (await oauth.exchange(code, { code_verifier })).body;
    await oauth.exchange(code);

    expect(await isActive(access_token)).toBe(false);
  });
});

describe('a refused refresh', () => {
  it('comes with the reason', async () => {
    const { refresh_token, access_token } = await oauth.tokens(person);
    const second = (await oauth.refresh(refresh_token)).body;
    await oauth.refresh(second.refresh_token);
    const answers = [
      await oauth.refresh('unknown'),
      await oauth.refresh(access_token),
      await oauth.refresh(refresh_token),
      await oauth.refresh(refresh_token),
    ];

    expect(answers.map(({ body }) => body.error_description)).toEqual([
      expect.stringContaining('is unknown, expired or revoked'),
      expect.stringContaining('is unknown, expired or revoked'),
      expect.stringContaining('was used before'),
      expect.stringContaining('is unknown, expired or revoked'),
    ]);
    expect(await revokedReason()).toBe('refresh_token_reused');
  });

  it('for more than was granted is invalid_scope', async () => {
    const { refresh_token } = await oauth.tokens(person, { scope: 'read' });

    expect((await oauth.refresh(refresh_token, { scope: 'write' })).body).toEqual({
      error: 'invalid_scope',
      error_description: 'The scope is more than what the person granted.',
    });
  });
});

describe('a repeated refresh', () => {
  it.each<[string, Record<string, string>, Record<string, string>]>([
    ['no scopes', {}, {}],
    ['the scopes that were asked for', { scope: 'read write' }, {}],
    ['the scopes that the refresh chose', {}, { scope: 'read' }],
  ])('names the same scopes: %s', async (_, asked, wanted) => {
    const { refresh_token } = await oauth.tokens(person, asked);
    const first = (await oauth.refresh(refresh_token, wanted)).body;
    const { expires_in: _first, ...expected } = first;
    const { expires_in: _again, ...again } = (await oauth.refresh(refresh_token, wanted)).body;

    expect(again).toEqual(expected);
  });

  it.each(['access_token', 'refresh_token'])('fails once the new %s was revoked', async (name) => {
    const { refresh_token } = await oauth.tokens(person);
    await post('/oauth/revoke', (await oauth.refresh(refresh_token)).body[name]);
    const { status, body } = await oauth.refresh(refresh_token);

    expect([status, body.error]).toEqual([400, 'invalid_grant']);
  });
});

describe('introspection and revocation', () => {
  it('tell live tokens from spent, revoked and unknown ones', async () => {
    const { access_token, refresh_token } = await oauth.tokens(person);
    expect([await isActive(access_token), await isActive(refresh_token)]).toEqual([true, true]);
    const second = (await oauth.refresh(refresh_token)).body;
    expect([await isActive(refresh_token), await isActive('unknown')]).toEqual([false, false]);
    await post('/oauth/revoke', second.access_token);

    expect([await isActive(second.access_token), await isActive(access_token)]).toEqual([false, true]);
    expect([await isActive(second.refresh_token), await revokedReason()]).toEqual([true, null]);
    oauth.desk.clock.advance({ hours: 2 });
    expect([await isActive(access_token), await isActive(second.refresh_token)]).toEqual([false, true]);
    expect((await post('/oauth/revoke', 'unknown')).status).toBe(200);
    await post('/oauth/revoke', second.refresh_token);
    expect([await isActive(second.refresh_token), await revokedReason()]).toEqual([false, 'application']);
  });
});
