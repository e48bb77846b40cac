import { describe, expect, it } from 'vitest';
import { answerOf, submitConsent } from './support/consent.js';
import { PASSWORD } from './support/oauth-desk.js';
import { oauthDeskForFile } from './support/oauth-desk-for-file.js';
import { Person } from './support/person.js';

const oauth = oauthDeskForFile();

/** Adds the values as they are, because clients encode them differently. */
const asking = (query: string) => `${oauth.authorizePath({ scope: 'read', state: 's' })}&${query}`;

async function newPerson() {
  const { email } = await oauth.agent();
  return { email, person: await oauth.person(email) };
}

describe('prompt=none', () => {
  it('never shows a page: it returns login_required, consent_required, or a code', async () => {
    const { person } = await newPerson();
    const stranger = await new Person(oauth.base).get(asking('prompt=none'));
    const before = await person.get(asking('prompt=none'));
    await submitConsent(person, asking('prompt='), {});
    const after = await person.get(asking('prompt=none'));
    const more = await person.get(asking('prompt=none').replace('scope=read', 'scope=read+write'));

    const expected = { state: 's', iss: oauth.base };
    expect(answerOf(stranger)).toMatchObject({ error: 'login_required', ...expected });
    expect(answerOf(before)).toMatchObject({ error: 'consent_required', ...expected });
    expect(answerOf(after)).toMatchObject({ code: expect.stringMatching(/^[\w-]{43}$/), ...expected });
    expect(answerOf(more)).toMatchObject({ error: 'consent_required', ...expected });
  });
});

describe('prompt=login', () => {
  it.each([
    ['prompt=login', 303],
    ['prompt=login%20consent', 200],
    ['prompt=consent+login', 200],
  ])('asks for the password of someone who is signed in, once: %s', async (prompt, status) => {
    const { email, person } = await newPerson();
    await submitConsent(person, asking('prompt='), {});
    const sent = await person.get(asking(prompt));
    const page = await person.get(sent.location ?? '');
    const back = await person.submit(page, '/sign-in', { email, password: PASSWORD });

    expect([sent.status, sent.location, page.status]).toEqual([303, '/sign-in?again=1', 200]);
    expect(await person.get(back.location ?? '')).toMatchObject({ status });
  });

  it('keeps the rest of the request, however it is encoded', async () => {
    const { email, person } = await newPerson();
    const path = `/oauth/authorize?client_id=${oauth.app.clientId}&response_type=code&prompt=login&state=a?b%3Fc&scope=read&redirect_uri=${oauth.app.redirectUri}`;
    const page = await person.follow(await person.get(path));
    const back = await person.submit(page, '/sign-in', { email, password: PASSWORD });
    const answer = answerOf(await submitConsent(person, back.location ?? '', {}));

    expect(answer).toMatchObject({ code: expect.any(String), state: 'a?b?c', from: 'deskwire' });
  });
});

describe('a prompt', () => {
  it.each(['create', 'none%20login', 'none+consent', 'NONE', 'login,consent', '__proto__'])(
    'is refused by redirect: %s',
    async (prompt) => {
      const { person } = await newPerson();
      const page = await person.get(asking(`prompt=${prompt}`));

      expect(answerOf(page)).toMatchObject({ error: 'invalid_request', state: 's' });
    },
  );

  it('cannot be given twice', async () => {
    const { person } = await newPerson();

    expect(answerOf(await person.get(asking('prompt=login&prompt=none')))).toMatchObject({ error: 'invalid_request' });
  });
});

/** The field of the sign-in page. */
const shownFor = async (query: string) => {
  const stranger = new Person(oauth.base);
  const { html } = await stranger.follow(await stranger.get(asking(query)));
  return /<input[^>]+name="email"[^>]*>/.exec(html)?.[0] ?? '';
};

describe('login_hint', () => {
  it.each(['maya%40acme.test', 'maya@acme.test', 'maya@acme.test&x=?y'])(
    'fills in the email address: %s',
    async (hint) => {
      expect(await shownFor(`login_hint=${hint}`)).toContain('value="maya@acme.test"');
    },
  );

  it('fills in the email address after a query that has a question mark', async () => {
    expect(await shownFor('x=a?b&login_hint=maya@acme.test')).toContain('value="maya@acme.test"');
  });

  it('is escaped', async () => {
    const input = await shownFor(`login_hint=${encodeURIComponent('"><script>@acme.test')}`);

    expect(input).toContain('&quot;');
    expect(input).not.toContain('"><script');
  });

  it.each(['maya', '%2B4912345', 'a%20b%40acme.test', '', '%E2%80%AEx', `${'a'.repeat(255)}%40acme.test`, 'a%40b%40c'])(
    'is ignored if it is no email address: %.30s',
    async (hint) => {
      expect(await shownFor(`login_hint=${hint}`)).not.toMatch(/value="[^"]/);
    },
  );
});
