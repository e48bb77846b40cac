import { SingleUseLinksService } from '#libs/access';
import { describe, expect, it } from 'vitest';
import { PASSWORD } from '../../oauth/support/oauth-desk.js';
import { oauthDeskForFile } from '../../oauth/support/oauth-desk-for-file.js';
import { Person } from '../../oauth/support/person.js';
import { type Enrolled, challenged, enrol, giveCode, giveRecoveryCode } from '../../oauth/support/two-factor.js';
import { codeAt } from '#test/support/authenticator.js';

const oauth = oauthDeskForFile();

const isSignedIn = async (person: Person) => (await person.get('/profile')).status === 200;
const now = ({ key }: Enrolled) => codeAt(key, oauth.desk.clock.now());
const inSeconds = ({ key }: Enrolled, seconds: number) =>
  codeAt(key, new Date(oauth.desk.clock.now().getTime() + seconds * 1000));
const nextCode = () => oauth.desk.clock.advance({ seconds: 30 });

/** Returns a code that is invalid for all neighbouring time steps. */
function wrongCode(agent: Enrolled): string {
  const near = new Set([-60, -30, 0, 30, 60].map((seconds) => inSeconds(agent, seconds)));
  return ['111111', '222222', '333333', '444444', '555555', '666666'].find((code) => !near.has(code))!;
}

describe('an agent with two-factor sign-in', () => {
  it('signs in with password and code, and continues to the requested page', async () => {
    const agent = await enrol(oauth);
    const person = new Person(oauth.base);
    await person.get(oauth.authorizePath({ state: 'kept' }));
    await challenged(oauth, agent.email, person);
    expect(await isSignedIn(person)).toBe(false);
    const page = await giveCode(person, ` ${now(agent).slice(0, 3)} ${now(agent).slice(3)} `);

    expect([page.status, page.location]).toEqual([303, oauth.authorizePath({ state: 'kept' })]);
    expect(await isSignedIn(person)).toBe(true);
    expect((await person.get(oauth.authorizePath({ state: 'kept' }))).html).toContain('Allow');
  });

  it('has no session between the password and the code', async () => {
    const agent = await enrol(oauth);
    const person = await challenged(oauth, agent.email);
    const answers = await Promise.all(
      ['/inbox', '/profile', '/profile/two-factor', oauth.authorizePath()].map((path) => person.get(path)),
    );

    expect(answers.map(({ status, location }) => [status, location])).toEqual(answers.map(() => [303, '/sign-in']));
    expect((await person.get('/live', { accept: 'text/event-stream' })).status).toBe(401);
    expect([...person.cookies.keys()]).not.toContain('deskwire-session');
  });

  it('needs the code after setting a new password through a link', async () => {
    const agent = await enrol(oauth);
    const link = await oauth.desk.api.get(SingleUseLinksService).issue(oauth.desk.account.id, agent.id);
    const person = new Person(oauth.base);
    const set = await person.submit(await person.get(link!.path), link!.path, { password: 'quite another password' });
    expect([set.location, await isSignedIn(person)]).toEqual(['/sign-in/code', false]);
    await giveCode(person, now(agent));

    expect(await isSignedIn(person)).toBe(true);
  });

  it('stays signed in after changing the password, while earlier challenges end', async () => {
    const agent = await enrol(oauth);
    const waiting = await challenged(oauth, agent.email);
    const page = await agent.person.get('/profile');
    await agent.person.submit(page, '/profile/password', { current: PASSWORD, password: 'quite another password' });

    expect(await isSignedIn(agent.person)).toBe(true);
    expect((await waiting.get('/sign-in/code')).location).toBe('/sign-in');
  });

  it('can use the previous and the next code, and no other', async () => {
    const agent = await enrol(oauth);
    const accepted: boolean[] = [];
    for (const seconds of [-60, 60, -30, 30]) {
      for (let n = 0; n < 4; n++) nextCode();
      const person = await challenged(oauth, agent.email);
      accepted.push((await giveCode(person, inSeconds(agent, seconds))).status === 303);
    }

    expect(accepted).toEqual([false, false, true, true]);
  });
});

describe('a code', () => {
  it('works once, from ten browsers at the same moment too', async () => {
    const agent = await enrol(oauth);
    const people = await Promise.all(Array.from({ length: 10 }, () => challenged(oauth, agent.email)));
    const forms = await Promise.all(people.map((person) => person.get('/sign-in/code')));
    const code = now(agent);
    const answers = await Promise.all(
      people.map((person, index) => person.submit(forms[index]!, '/sign-in/code', { code })),
    );
    const late = await giveCode(await challenged(oauth, agent.email), code);

    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(late.status).toBe(422);
  });

  it('works once in two processes at the same moment', async () => {
    const agent = await enrol(oauth);
    const processes = await Promise.all([oauth.desk.apiProcess(), oauth.desk.apiProcess()]);
    // The processes use the real clock, and the test has moved its own.
    await oauth.desk.sql.query('update authenticators set last_step = 0 where agent_id = $1', [agent.id]);
    const signIns = await Promise.all(
      [...processes, ...processes, ...processes].map(async ({ base }) => {
        const person = await challenged(oauth, agent.email, new Person(base));
        return { person, form: await person.get('/sign-in/code') };
      }),
    );
    const code = codeAt(agent.key, new Date());
    const answers = await Promise.all(
      signIns.map(({ person, form }) => person.submit(form, '/sign-in/code', { code })),
    );

    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
  });

  it('cannot be used after a later one', async () => {
    const agent = await enrol(oauth);
    await giveCode(await challenged(oauth, agent.email), inSeconds(agent, 30));

    expect((await giveCode(await challenged(oauth, agent.email), now(agent))).status).toBe(422);
  });

  it('cannot sign in when it confirmed the setup', async () => {
    const agent = await enrol(oauth);
    oauth.desk.clock.advance({ seconds: -31 });
    const refused = await giveCode(await challenged(oauth, agent.email), now(agent));
    oauth.desk.clock.advance({ seconds: 31 });

    expect(refused.status).toBe(422);
  });
});

describe('a wrong code', () => {
  it('ends the challenge at the fifth try, for a right code too', async () => {
    const agent = await enrol(oauth);
    const person = await challenged(oauth, agent.email);
    const form = await person.get('/sign-in/code');
    const answers: string[] = [];
    for (let n = 0; n < 5; n++) {
      const { html, status } = await person.submit(form, '/sign-in/code', { code: wrongCode(agent) });
      answers.push(`${status} ${/(\w+) tr(?:y|ies) left/.exec(html)?.[1] ?? 'over'}`);
    }
    const late = await person.submit(form, '/sign-in/code', { code: now(agent) });

    expect(answers).toEqual(['422 4', '422 3', '422 2', '422 One', '422 over']);
    expect([late.status, late.location]).toEqual([422, null]);
    expect(await isSignedIn(person)).toBe(false);
  });

  it('costs one of five tries, with a hundred simultaneous requests too', async () => {
    const agent = await enrol(oauth);
    const person = await challenged(oauth, agent.email);
    const form = await person.get('/sign-in/code');
    const codes = Array.from({ length: 100 }, (_, index) => `${100_000 + index}`);
    const answers = await Promise.all(codes.map((code) => person.submit(form, '/sign-in/code', { code })));
    const { rows } = await oauth.desk.sql.query('select tries from sign_in_challenges where agent_id = $1', [agent.id]);

    expect(rows).toEqual([{ tries: 5 }]);
    expect(answers.filter(({ html }) => html.includes('left.'))).toHaveLength(4);
  });

  it('stops unknown browsers after twenty in a day, but neither a known browser nor a recovery code', async () => {
    const agent = await enrol(oauth);
    for (let n = 0; n < 4; n++) {
      const thief = await challenged(oauth, agent.email);
      for (let tries = 0; tries < 5; tries++) await giveCode(thief, wrongCode(agent));
    }
    const stranger = await challenged(oauth, agent.email);
    const refused = await giveCode(stranger, now(agent));
    agent.person.cookies.delete('deskwire-session');
    const known = await giveCode(await challenged(oauth, agent.email, agent.person), now(agent));
    const recovered = await giveRecoveryCode(stranger, agent.recoveryCodes[0]!);
    oauth.desk.clock.advance({ days: 1 });
    const nextDay = await giveCode(await challenged(oauth, agent.email), now(agent));

    expect([refused.status, known.status, recovered.status, nextDay.status]).toEqual([429, 303, 303, 303]);
    expect(refused.html).toContain('Use a recovery code');
  });

  it('shows the same message as a used or malformed one', async () => {
    const agent = await enrol(oauth);
    const used = now(agent);
    await giveCode(await challenged(oauth, agent.email), used);
    const person = await challenged(oauth, agent.email);
    const texts: (string | undefined)[] = [];
    for (const code of [wrongCode(agent), used, '', 'x'.repeat(100_000)])
      texts.push(/role="alert">([^<]+)\. \w+ tr/.exec((await giveCode(person, code)).html)?.[1]?.replace(/\d.*/, ''));

    expect(new Set(texts)).toEqual(new Set(['This code is wrong or was already used']));
  });
});
