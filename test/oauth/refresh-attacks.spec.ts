import { beforeAll, describe, expect, it } from 'vitest';
import { oauthDeskForFile } from './support/oauth-desk-for-file.js';
import type { Person } from './support/person.js';

const oauth = oauthDeskForFile();
let person: Person;
beforeAll(async () => {
  person = await oauth.person();
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
