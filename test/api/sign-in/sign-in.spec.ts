import { PasswordsService, SessionsService, SingleUseLinksService } from '#libs/access';
import { describe, expect, it } from 'vitest';
import { PASSWORD } from '../../oauth/support/oauth-desk.js';
import { oauthDeskForFile } from '../../oauth/support/oauth-desk-for-file.js';
import { Person } from '../../oauth/support/person.js';
import { eventually } from '#test/support/eventually.js';
import { seedAccount } from '#test/support/seed.js';

const oauth = oauthDeskForFile();

const NEW_PASSWORD = 'quite another password';
const SEEN_SINCE = 'select from sessions where agent_id = $1 and last_seen_at >= $2';
const links = () => oauth.desk.api.get(SingleUseLinksService);

async function linkFor(agentId: string): Promise<string> {
  const made = await links().issue(oauth.desk.account.id, agentId);
  return made?.path ?? '';
}

describe('a sign-in', () => {
  it('ignores the case of the email and the spaces around it', async () => {
    const { email } = await oauth.agent();
    const person = new Person(oauth.base);
    await person.signIn(` ${email.toUpperCase()} `, PASSWORD);

    expect(await person.isSignedIn()).toBe(true);
  });

  it('reports a wrong email or password, and keeps the email', async () => {
    const person = new Person(oauth.base);
    const page = await person.signIn('owner@acme.test', 'wrong');

    expect(page.status).toBe(422);
    expect(page.html).toContain('role="alert"');
    expect(page.html).toContain('value="owner@acme.test"');
    expect(page.html).not.toContain('value="wrong"');
  });

  it('expires after a week without use, and after a month', async () => {
    const idle = await oauth.person((await oauth.agent()).email);
    const agent = await oauth.agent();
    const busy = await oauth.person(agent.email);
    const seen = async () => {
      oauth.desk.clock.advance({ days: 6 });
      const values = [agent.id, oauth.desk.clock.now()];
      const isSignedIn = await busy.isSignedIn();
      if (isSignedIn) await eventually(async () => (await oauth.desk.sql.query(SEEN_SINCE, values)).rowCount === 1);
      return isSignedIn;
    };

    expect([await seen(), await idle.isSignedIn()]).toEqual([true, true]);
    expect(await seen()).toBe(true);
    expect([await seen(), await seen(), await seen()]).toEqual([true, true, false]);
  });
});

describe('an email that belongs to several accounts', () => {
  it('leads to a choice when the password is right for several', async () => {
    const { email } = await oauth.agent();
    const globex = await seedAccount(oauth.desk.sql, { name: 'Globex' });
    await oauth.agent(globex.id, email);
    const person = new Person(oauth.base);
    await person.get(oauth.authorizePath());
    const choice = await person.signIn(email, PASSWORD);
    const [, agent = ''] = /value="([^"]+)"[^>]*>Globex/.exec(choice.html) ?? [];
    const entered = await person.submit(choice, '/sign-in/account', { agent });

    expect(choice.html).toContain('Choose an account');
    expect(entered.location).toBe(oauth.authorizePath());
    expect((await person.get(oauth.authorizePath())).html).toContain('Globex');
  });

  it('opens no account with another password', async () => {
    const { email } = await oauth.agent();
    const initech = await seedAccount(oauth.desk.sql, { name: 'Initech' });
    await oauth.agent(initech.id, email);
    const person = new Person(oauth.base);
    const choice = await person.signIn(email, PASSWORD);
    const entered = await person.submit(choice, '/sign-in/account', { agent: oauth.desk.account.owner.id });

    expect(entered.location).toBe('/sign-in');
    expect(await person.isSignedIn()).toBe(false);
  });
});

describe('a link to set a password', () => {
  it.each([
    ['active', { hours: 1 }, 'Set a new password'],
    ['invited', { days: 7 }, 'Join Acme'],
  ])('expires for an agent who is %s after %j', async (state, lifetime, heading) => {
    const agent = await oauth.agent();
    await oauth.desk.sql.query('update agents set state = $2 where id = $1', [agent.id, state]);
    const path = await linkFor(agent.id);
    oauth.desk.clock.advance({ ...lifetime, seconds: -1 });
    const form = await new Person(oauth.base).get(path);
    oauth.desk.clock.advance({ seconds: 2 });

    expect([form.status, form.html]).toEqual([200, expect.stringContaining(heading)]);
    expect((await new Person(oauth.base).get(path)).status).toBe(404);
  });

  it('opens no session when another password was set a moment later', async () => {
    const { id } = await oauth.agent();
    const { account, api } = oauth.desk;
    const late = await links().redeem((await linkFor(id)).slice('/set-password/'.length), NEW_PASSWORD);
    await api.get(PasswordsService).set(account.id, id, PASSWORD);
    const agent = { id, accountId: account.id, passwordVersion: late!.passwordVersion };
    const { token } = await api.get(SessionsService).open(agent, { userAgent: '', address: '192.0.2.1' });

    expect(await api.get(SessionsService).find(token)).toBeUndefined();
  });

  it('works once, and ends the other links, when several are used at the same moment', async () => {
    const { id } = await oauth.agent();
    const paths = await Promise.all(Array.from({ length: 4 }, () => linkFor(id)));
    const tokens = [...paths, ...paths].map((path) => path.slice('/set-password/'.length));
    const spent = await Promise.all(tokens.map((token) => links().redeem(token, NEW_PASSWORD)));

    expect(spent.filter((agent) => agent !== undefined)).toHaveLength(1);
  });

  it('sets the password once, signs in, and signs out every other browser', async () => {
    const agent = await oauth.agent();
    const before = await oauth.person(agent.email);
    const path = await linkFor(agent.id);
    const person = new Person(oauth.base);
    const form = await person.get(path);
    const done = await person.submit(form, path, { password: NEW_PASSWORD });

    expect(form.html).toContain('Set a new password');
    expect(done.status).toBe(303);
    expect([await person.isSignedIn(), await before.isSignedIn()]).toEqual([true, false]);
    expect((await new Person(oauth.base).signIn(agent.email, PASSWORD)).status).toBe(422);
    const again = new Person(oauth.base);
    expect((await again.get(path)).status).toBe(404);
    expect((await again.submit(form, path, { password: NEW_PASSWORD })).status).toBe(403);
  });

  it('still works after it was opened, or used with a password that is too short', async () => {
    const agent = await oauth.agent();
    const path = await linkFor(agent.id);
    const person = new Person(oauth.base);
    await person.get(path);
    const form = await person.get(path);
    const short = await person.submit(form, path, { password: 'short' });

    expect(short.status).toBe(422);
    expect(short.html).toContain('at least 10 characters');
    expect((await person.submit(form, path, { password: NEW_PASSWORD })).status).toBe(303);
  });

  it('exists for no archived agent, and ends when the agent is archived', async () => {
    const agent = await oauth.agent();
    const path = await linkFor(agent.id);
    await oauth.desk.sql.query("update agents set state = 'archived' where id = $1", [agent.id]);

    expect((await new Person(oauth.base).get(path)).status).toBe(404);
    expect(await linkFor(agent.id)).toBe('');
  });
});
