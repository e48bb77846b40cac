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

const tokens = async (): Promise<number> =>
  (await oauth.desk.sql.query("select from grants where name = 'Nightly report'")).rowCount ?? 0;

describe('the form for a personal access token', () => {
  it('needs the current password, and keeps what was typed without it', async () => {
    const { email } = await oauth.agent();
    const person = await oauth.person(email);
    const refused = [await create(person), await create(person, { proof: 'wrong password' })];
    const before = await tokens();
    const created = await create(person, { proof: PASSWORD });

    expect([...refused, created].map(({ status }) => status)).toEqual([422, 422, 200]);
    expect([before, await tokens()]).toEqual([0, 1]);
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
