import { PersonalTokensService } from '#libs/access';
import { Database } from '#libs/database';
import { describe, expect, it } from 'vitest';
import { PASSWORD } from '../../oauth/support/oauth-desk.js';
import { oauthDeskForFile } from '../../oauth/support/oauth-desk-for-file.js';
import type { Page, Person } from '../../oauth/support/person.js';
import { enrol, codeOf } from '../../oauth/support/two-factor.js';

const oauth = oauthDeskForFile();

async function create(person: Person, fields: Record<string, string> = {}): Promise<Page> {
  const form = { name: 'Nightly report', days: '30', 'scope[]': 'write', ...fields };
  return person.submit(await person.get('/profile'), '/profile/tokens', form);
}

const reports = async (): Promise<number> =>
  (await oauth.desk.sql.query("select from grants where name = 'Nightly report'")).rowCount ?? 0;

describe('the form for a personal access token', () => {
  it('needs the current password, and keeps what was typed without it', async () => {
    const { email } = await oauth.agent();
    const person = await oauth.person(email);
    const refused = [await create(person), await create(person, { proof: 'wrong password' })];
    const before = await reports();
    const created = await create(person, { proof: PASSWORD });

    expect([...refused, created].map(({ status }) => status)).toEqual([422, 422, 200]);
    expect([before, await reports()]).toEqual([0, 1]);
    expect(created.html).toMatch(/data-token[^>]*>dwp_/);
    const [, wrong] = refused;
    expect(wrong!.html).toContain('That is not your current password.');
    expect(wrong!.html).toContain('value="Nightly report"');
    expect(wrong!.html).toMatch(/name="days"[^>]*value="30"/);
    expect(wrong!.html.match(/<input type="checkbox" name="scope\[\]"[^>]*checked/g)).toEqual([
      expect.stringContaining('value="write"'),
    ]);
    expect(wrong!.html).not.toContain('wrong password');
  });

  it('accepts an unused code instead, where two-factor sign-in is on', async () => {
    const agent = await enrol(oauth);
    const proof = codeOf(oauth, agent);
    const answers = [await create(agent.person, { proof }), await create(agent.person, { proof })];

    expect((await agent.person.get('/profile')).html).toContain('Your password, or a code from the app');
    expect(answers.map(({ status }) => status)).toEqual([200, 422]);
  });

  it('stops guesses of the password as other forms of the session do', async () => {
    const { email } = await oauth.agent();
    const person = await oauth.person(email);
    const guess = async (n: number) => (await create(person, { proof: `wrong password ${n}` })).html;
    const pages = [];
    for (let n = 0; n < 21; n++) pages.push(await guess(n));
    const right = await create(person, { proof: PASSWORD });

    expect(pages.filter((html) => html.includes('That is not your current password.'))).toHaveLength(20);
    expect(right.html).toContain('Too many attempts.');
  });
});

describe('a person', () => {
  it('can create at most 10 personal access tokens an hour', async () => {
    const person = await oauth.person();
    const make = (n: number) => create(person, { name: `Script ${n}`, proof: PASSWORD });
    const statuses = [];
    for (let n = 0; n < 10; n++) statuses.push((await make(n)).status);
    const refused = await make(10);
    oauth.desk.clock.advance({ hours: 1, seconds: 1 });

    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(refused.status).toBe(409);
    expect(refused.html).toContain('Try again in 60 min.');
    expect((await make(11)).status).toBe(200);
  });

  it('can have at most 50 personal access tokens, with simultaneous requests too', async () => {
    const { id: agentId } = await oauth.agent();
    const account = oauth.desk.api.get(Database).account(oauth.desk.account.id);
    const tokens = oauth.desk.api.get(PersonalTokensService);
    await oauth.desk.sql.query('delete from tokens using grants g where g.id = grant_id and g.agent_id = $1', [
      agentId,
    ]);
    const make = (n: number) =>
      account.transaction((tx) => tokens.create(tx, { agentId, name: `Script ${n}`, scopes: ['read'] }));
    const made = await Promise.allSettled(Array.from({ length: 60 }, (_, n) => make(n)));
    const reasons = made.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: string }).code] : []));

    expect(reasons).toEqual(Array.from({ length: 10 }, () => 'too_many_tokens'));
    expect(await tokens.list(oauth.desk.account.id, agentId)).toHaveLength(50);
  });
});
