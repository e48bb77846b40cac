import { SingleUseLinksService } from '#libs/access';
import { describe, expect, it } from 'vitest';
import { PASSWORD } from '../../oauth/support/oauth-desk.js';
import { oauthDeskForFile } from '../../oauth/support/oauth-desk-for-file.js';
import { Person } from '../../oauth/support/person.js';
import { challenged, enrol, giveCode, giveRecoveryCode, codeOf, wrongCodeOf } from '../../oauth/support/two-factor.js';
import { codeAt } from '#test/support/authenticator.js';

const oauth = oauthDeskForFile();

describe('an agent with two-factor sign-in', () => {
  it('signs in with password and code, and continues to the requested page', async () => {
    const agent = await enrol(oauth);
    const person = new Person(oauth.base);
    await person.get(oauth.authorizePath({ state: 'kept' }));
    await challenged(oauth, agent.email, person);
    expect(await person.isSignedIn()).toBe(false);
    const page = await giveCode(person, ` ${codeOf(oauth, agent).slice(0, 3)} ${codeOf(oauth, agent).slice(3)} `);

    expect([page.status, page.location]).toEqual([303, oauth.authorizePath({ state: 'kept' })]);
    expect(await person.isSignedIn()).toBe(true);
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
    expect([set.location, await person.isSignedIn()]).toEqual(['/sign-in/code', false]);
    await giveCode(person, codeOf(oauth, agent));

    expect(await person.isSignedIn()).toBe(true);
  });

  it('stays signed in after changing the password, while earlier challenges end', async () => {
    const agent = await enrol(oauth);
    const waiting = await challenged(oauth, agent.email);
    const page = await agent.person.get('/profile');
    await agent.person.submit(page, '/profile/password', { current: PASSWORD, password: 'quite another password' });

    expect(await agent.person.isSignedIn()).toBe(true);
    expect((await waiting.get('/sign-in/code')).location).toBe('/sign-in');
  });
});

describe('a code', () => {
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
    await giveCode(await challenged(oauth, agent.email), codeOf(oauth, agent, 30));

    expect((await giveCode(await challenged(oauth, agent.email), codeOf(oauth, agent))).status).toBe(422);
  });

  it('cannot sign in when it confirmed the setup', async () => {
    const agent = await enrol(oauth);
    oauth.desk.clock.advance({ seconds: -31 });
    const refused = await giveCode(await challenged(oauth, agent.email), codeOf(oauth, agent));
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
      const { html, status } = await person.submit(form, '/sign-in/code', { code: wrongCodeOf(oauth, agent) });
      answers.push(`${status} ${/(\w+) tr(?:y|ies) left/.exec(html)?.[1] ?? 'over'}`);
    }
    const late = await person.submit(form, '/sign-in/code', { code: codeOf(oauth, agent) });

    expect(answers).toEqual(['422 4', '422 3', '422 2', '422 One', '422 over']);
    expect([late.status, late.location]).toEqual([422, null]);
    expect(await person.isSignedIn()).toBe(false);
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
      for (let tries = 0; tries < 5; tries++) await giveCode(thief, wrongCodeOf(oauth, agent));
    }
    const stranger = await challenged(oauth, agent.email);
    const refused = await giveCode(stranger, codeOf(oauth, agent));
    agent.person.cookies.delete('deskwire-session');
    const known = await giveCode(await challenged(oauth, agent.email, agent.person), codeOf(oauth, agent));
    const recovered = await giveRecoveryCode(stranger, agent.recoveryCodes[0]!);
    oauth.desk.clock.advance({ days: 1 });
    const nextDay = await giveCode(await challenged(oauth, agent.email), codeOf(oauth, agent));

    expect([refused.status, known.status, recovered.status, nextDay.status]).toEqual([429, 303, 303, 303]);
    expect(refused.html).toContain('Use a recovery code');
  });

  it('shows the same message as a used or malformed one', async () => {
    const agent = await enrol(oauth);
    const used = codeOf(oauth, agent);
    await giveCode(await challenged(oauth, agent.email), used);
    const person = await challenged(oauth, agent.email);
    const texts: (string | undefined)[] = [];
    for (const code of [wrongCodeOf(oauth, agent), used, '', 'x'.repeat(100_000)])
      texts.push(/role="alert">([^<]+)\. \w+ tr/.exec((await giveCode(person, code)).html)?.[1]?.replace(/\d.*/, ''));

    expect(new Set(texts)).toEqual(new Set(['This code is wrong or was already used']));
  });
});
