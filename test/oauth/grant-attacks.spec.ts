import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { oauthDeskForFile } from './support/oauth-desk-for-file.js';
import type { Person } from './support/person.js';

const oauth = oauthDeskForFile();
let person: Person;
beforeAll(async () => {
  person = await oauth.person();
});

const verifierPair = () => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};
const withPkce = (challenge: string) => ({ code_challenge: challenge, code_challenge_method: 'S256' });

describe('a stolen authorization code', () => {
  it('fails the second time, and revokes the tokens of the first time', async () => {
    const code = await oauth.code(person);
    const { body } = await oauth.exchange(code);
    const replay = await oauth.exchange(code);

    expect(replay.status).toBe(400);
    expect(replay.body.error).toBe('invalid_grant');
    expect(await oauth.works(body.access_token)).toBe(false);
    expect((await oauth.refresh(body.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('works once in fifty concurrent attempts', async () => {
    const code = await oauth.code(person);
    const answers = await Promise.all(Array.from({ length: 50 }, () => oauth.exchange(code)));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(49);
  });

  it('cannot be used, spent or revoked by another application', async () => {
    const other = await oauth.application({ name: 'Other' });
    const code = await oauth.code(person);

    expect((await oauth.exchange(code, {}, other)).body.error).toBe('invalid_grant');
    const { body } = await oauth.exchange(code);
    expect((await oauth.exchange(code, {}, other)).body.error).toBe('invalid_grant');
    expect(await oauth.works(body.access_token)).toBe(true);
  });

  it('stays valid after a wrong secret', async () => {
    const code = await oauth.code(person);
    const refused = await oauth.exchange(code, { client_secret: 'wrong' });

    expect(refused.status).toBe(401);
    expect(refused.body.error).toBe('invalid_client');
    expect((await oauth.exchange(code)).status).toBe(200);
  });

  it('expires after a minute', async () => {
    const code = await oauth.code(person);
    oauth.desk.clock.advance({ seconds: 61 });

    expect((await oauth.exchange(code)).body.error).toBe('invalid_grant');
  });

  it('fails once the agent is archived', async () => {
    const agent = await oauth.agent();
    const code = await oauth.code(await oauth.person(agent.email));
    await oauth.desk.sql.query("update agents set state = 'archived' where id = $1", [agent.id]);

    expect((await oauth.exchange(code)).body.error).toBe('invalid_grant');
  });
});

describe('PKCE', () => {
  it.each([
    ['another verifier', () => ({ code_verifier: verifierPair().verifier })],
    ['the challenge itself', (challenge: string) => ({ code_verifier: challenge })],
    ['no verifier', () => ({})],
    ['an empty verifier', () => ({ code_verifier: '' })],
    ['a verifier too short to be one', () => ({ code_verifier: 'short' })],
  ])('rejects %s without spending the code', async (_, wrong) => {
    const { verifier, challenge } = verifierPair();
    const code = await oauth.code(person, withPkce(challenge));

    expect((await oauth.exchange(code, wrong(challenge))).body.error).toBe('invalid_grant');
    expect((await oauth.exchange(code, { code_verifier: verifier })).status).toBe(200);
  });

  it('resists a downgrade: a verifier for a code without challenge is rejected', async () => {
    const code = await oauth.code(person);

    expect((await oauth.exchange(code, { code_verifier: verifierPair().verifier })).body.error).toBe('invalid_grant');
  });

  it('does not replace the client secret', async () => {
    const { verifier, challenge } = verifierPair();
    const code = await oauth.code(person, withPkce(challenge));

    expect((await oauth.exchange(code, { code_verifier: verifier, client_secret: undefined })).status).toBe(401);
  });
});

describe('a reused refresh token', () => {
  it('ends the whole family after its successor was used', async () => {
    const first = await oauth.tokens(person);
    const second = (await oauth.refresh(first.refresh_token)).body;
    const third = (await oauth.refresh(second.refresh_token)).body;
    const replay = await oauth.refresh(first.refresh_token);

    expect(replay.body.error).toBe('invalid_grant');
    for (const { access_token } of [first, second, third]) expect(await oauth.works(access_token)).toBe(false);
    expect((await oauth.refresh(third.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('ends the whole family after half a minute', async () => {
    const first = await oauth.tokens(person);
    const second = (await oauth.refresh(first.refresh_token)).body;
    oauth.desk.clock.advance({ seconds: 31 });

    expect((await oauth.refresh(first.refresh_token)).body.error).toBe('invalid_grant');
    expect(await oauth.works(second.access_token)).toBe(false);
  });

  it('returns the same pair with the time left, within half a minute, before its successor is used', async () => {
    const first = await oauth.tokens(person);
    const lost = (await oauth.refresh(first.refresh_token)).body;
    oauth.desk.clock.advance({ seconds: 20 });
    const again = (await oauth.refresh(first.refresh_token)).body;

    expect([again.access_token, again.refresh_token]).toEqual([lost.access_token, lost.refresh_token]);
    expect(again.expires_in).toBeGreaterThan(7170);
    expect(again.expires_in).toBeLessThanOrEqual(7181);
    expect((await oauth.refresh(again.refresh_token)).status).toBe(200);
  });

  it('never forks the family in fifty concurrent attempts', async () => {
    const first = await oauth.tokens(person);
    const answers = await Promise.all(Array.from({ length: 50 }, () => oauth.refresh(first.refresh_token)));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
    expect(new Set(answers.map(({ body }) => body.access_token)).size).toBe(1);
  });

  it('returns and ends nothing for another application', async () => {
    const other = await oauth.application({ name: 'Other' });
    const first = await oauth.tokens(person);

    expect((await oauth.refresh(first.refresh_token, {}, other)).body.error).toBe('invalid_grant');
    const second = (await oauth.refresh(first.refresh_token)).body;
    expect((await oauth.refresh(first.refresh_token, {}, other)).body.error).toBe('invalid_grant');
    expect(await oauth.works(second.access_token)).toBe(true);
  });
});

describe('a token in the wrong place', () => {
  it('fails: an access token as refresh token, a refresh token at the API, a code as either, a personal token', async () => {
    const code = await oauth.code(person);
    const tokens = await oauth.tokens(person);

    for (const token of [tokens.access_token, code, oauth.desk.account.owner.token])
      expect((await oauth.refresh(token)).body.error).toBe('invalid_grant');
    expect(await oauth.works(tokens.refresh_token)).toBe(false);
    expect(await oauth.works(code)).toBe(false);
  });
});
