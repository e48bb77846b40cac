import type { AgentRole, TwoFactorRequirement } from '#libs/entities';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { oauthDeskForFile } from '../../oauth/support/oauth-desk-for-file.js';
import { type Person, csrfOf } from '../../oauth/support/person.js';
import { type Enrolled, challenged, enrol, giveCode, startSetUp, codeOf } from '../../oauth/support/two-factor.js';
import { seedAccount } from '#test/support/seed.js';
import { consolePages } from '#test/support/console-routes.js';

const SECURITY = '/settings/security';

const oauth = oauthDeskForFile();
let owner: Enrolled;
beforeAll(async () => {
  owner = await enrol(oauth, oauth.desk.account.owner);
});
beforeEach(() => requireOf('nobody'));

async function requireOf(requirement: TwoFactorRequirement) {
  const page = await owner.person.get(SECURITY);
  return owner.person.submit(page, `${SECURITY}/two-factor`, { requirement });
}

async function agentOf(role: AgentRole) {
  const agent = await oauth.agent();
  await oauth.desk.sql.query('update agents set role = $2 where id = $1', [agent.id, role]);
  return { ...agent, person: await oauth.person(agent.email) };
}

const post = async (person: Person, action: string, fields: Record<string, string>) =>
  person.submit(await person.get('/profile/two-factor'), `/profile/two-factor/${action}`, fields);

const reset = async (by: Person, id: string) =>
  by.submit(await by.get('/profile'), `/settings/agents/${id}/reset-two-factor`, {});

const kinds = async (): Promise<string[]> => {
  const { rows } = await oauth.desk.sql.query<{ kind: string; subject: string }>(
    "select kind, subject from activities where kind like '%two_factor%' order by id",
  );
  return rows.map(({ kind, subject }) => `${kind} ${subject}`);
};

describe('the requirement of two-factor sign-in', () => {
  it('applies to owners and admins, or to all agents', async () => {
    const [agent, admin] = [await agentOf('agent'), await agentOf('admin')];
    const inboxes = async () =>
      Promise.all([agent, admin].map(async ({ person }) => (await person.get('/inbox')).status));
    const before = await inboxes();
    await requireOf('managers');
    const ofManagers = await inboxes();
    await requireOf('everybody');

    expect([before, ofManagers, await inboxes()]).toEqual([
      [200, 200],
      [200, 303],
      [303, 303],
    ]);
    expect((await owner.person.get('/inbox')).status).toBe(200);
  });

  it('needs an owner who has it enabled, and is recorded', async () => {
    const { person } = await agentOf('owner');
    const ask = async (requirement: string) =>
      person.submit(await person.get(SECURITY), `${SECURITY}/two-factor`, { requirement });
    const [without, unknown] = [await ask('everybody'), await ask('constructor')];
    await requireOf('managers');

    expect(without.status).toBe(409);
    expect(without.html).toContain('Set up two-factor sign-in for yourself first');
    expect(unknown.status).toBe(422);
    expect((await kinds()).at(-1)).toBe('two_factor_requirement_changed owners and admins');
  });
});

describe('an agent who has to set up two-factor sign-in', () => {
  it('can open only the setup page, which leads on to the requested page', async () => {
    const { person } = await agentOf('agent');
    await requireOf('everybody');
    const paths = consolePages().filter((path) => path !== '/profile/two-factor' && !path.startsWith('/settings/'));
    for (const path of [...paths, oauth.authorizePath()])
      expect([path, (await person.get(path)).location]).toEqual([path, '/sign-in']);
    expect((await person.get('/live', { accept: 'text/event-stream' })).status).toBe(401);
    const form = await person.follow(await person.get(oauth.authorizePath({ state: 'later' })));
    expect(form.html).toContain('Acme requires two-factor sign-in of you.');
    expect(form.html).not.toContain('/inbox');

    const { key, page } = await startSetUp(person);
    const done = await person.submit(page, '/profile/two-factor/confirm', { code: codeOf(oauth, { key }) });
    const next = /class="button primary" href="([^"]+)"/.exec(done.html)?.[1]?.replaceAll('&amp;', '&');
    expect(next).toBe(oauth.authorizePath({ state: 'later' }));
    expect((await person.get(next!)).html).toContain('Allow');
  });

  it('can create no token and allow no application, while existing tokens work', async () => {
    const { person, token } = await agentOf('agent');
    const csrf = csrfOf(await person.get('/profile'));
    await requireOf('everybody');
    const made = await person.post('/profile/tokens', { csrf, name: 'mine', days: '3', 'scope[]': 'read' });
    const allowed = await person.post(oauth.authorizePath(), { csrf, decision: 'allow' });

    expect([made.location, allowed.location]).toEqual(['/sign-in?unsent=lost', '/sign-in']);
    expect((await oauth.desk.client(token).get('/v1/tickets')).status).toBe(200);
  });

  it('can sign out', async () => {
    const { person } = await agentOf('agent');
    await requireOf('everybody');
    await person.submit(await person.get('/profile/two-factor'), '/sign-out', {});

    expect(person.cookies.has('deskwire-session')).toBe(false);
  });

  it('cannot disable it afterwards', async () => {
    const agent = await enrol(oauth);
    await requireOf('everybody');
    const off = await post(agent.person, 'off', { off_proof: codeOf(oauth, agent) });

    expect(off.status).toBe(403);
    expect(off.html).toContain('Your account requires you to use two-factor sign-in.');
  });
});

describe('the settings of two-factor sign-in', () => {
  it('need the password or an unused code', async () => {
    const agent = await enrol(oauth);
    const used = codeOf(oauth, agent);
    const renewed = await post(agent.person, 'recovery-codes', { proof: used });
    const again = await post(agent.person, 'recovery-codes', { proof: used });
    const wrong = await post(agent.person, 'off', { off_proof: 'not the password' });
    const off = await post(agent.person, 'off', { off_proof: 'correct horse battery' });

    expect([renewed.status, again.status, wrong.status, off.status]).toEqual([200, 422, 422, 303]);
    expect(renewed.html).not.toContain(agent.recoveryCodes[0]);
  });

  it('require the password to start, and can be started once', async () => {
    const { person } = await agentOf('agent');
    const refused = await post(person, 'start', { password: 'wrong' });
    const unasked = await post(person, 'confirm', { code: '123456' });
    const agent = await enrol(oauth);
    const twice = await post(agent.person, 'start', { password: 'correct horse battery' });

    expect([refused.status, unasked.status, twice.status]).toEqual([422, 409, 409]);
  });

  it('accept one of two simultaneous confirmations, within an hour', async () => {
    const { person } = await agentOf('agent');
    const { key, page } = await startSetUp(person);
    const send = () => person.submit(page, '/profile/two-factor/confirm', { code: codeOf(oauth, { key }) });
    oauth.desk.clock.advance({ minutes: 61 });
    const late = await send();
    const anew = await startSetUp(person);
    const both = await Promise.all(
      [1, 2].map(() => person.submit(anew.page, '/profile/two-factor/confirm', { code: codeOf(oauth, anew) })),
    );

    expect(late.status).toBe(409);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });

  it('end the other sessions when it is enabled', async () => {
    const agent = await oauth.agent();
    const other = await oauth.person(agent.email);
    const { person } = await enrol(oauth, agent);

    expect([(await other.get('/inbox')).status, (await person.get('/inbox')).status]).toEqual([303, 200]);
  });
});

describe('the reset of two-factor sign-in', () => {
  it('can be done by an admin, except for an owner', async () => {
    const [agent, admin] = [await enrol(oauth), await agentOf('admin')];
    const done = await reset(admin.person, agent.id);
    const ofOwner = await reset(admin.person, owner.id);
    const byAgent = await reset((await agentOf('agent')).person, owner.id);

    expect([done.status, ofOwner.status, byAgent.status]).toEqual([303, 403, 403]);
    expect((await agent.person.get('/inbox')).status).toBe(303);
    expect((await (await oauth.person(agent.email)).get('/inbox')).status).toBe(200);
    expect(await kinds()).toContain(`two_factor_reset ${agent.email}`);
    expect((await owner.person.get('/settings/events?kind=two_factor_reset')).html).toContain(
      'reset two-factor sign-in',
    );
  });

  it('cannot be done by admins for themselves', async () => {
    const { id, email } = await agentOf('admin');
    const admin = await enrol(oauth, { id, email });
    const refused = await reset(admin.person, id);
    const { rowCount } = await oauth.desk.sql.query('select from authenticators where agent_id = $1', [id]);

    expect([refused.status, rowCount]).toEqual([403, 1]);
  });

  it('cannot be done in another account', async () => {
    const agent = await enrol(oauth);
    const stranger = await oauth.agent((await seedAccount(oauth.desk.sql)).id);
    await oauth.desk.sql.query("update agents set role = 'owner' where id = $1", [stranger.id]);

    expect((await reset(await oauth.person(stranger.email), agent.id)).status).toBe(404);
    expect((await giveCode(await challenged(oauth, agent.email), codeOf(oauth, agent))).status).toBe(303);
  });
});
