import { beforeEach, describe, expect, it } from 'vitest';
import { inviteElsewhere } from '../../oauth/support/invited-agent.js';
import { multiplyAttempts, times } from './attempts.js';
import { oauthDeskForFile } from '../../oauth/support/oauth-desk-for-file.js';
import { Person, csrfOf } from '../../oauth/support/person.js';
import {
  type Enrolled,
  challenged,
  codeOf,
  enrol,
  giveCode,
  giveRecoveryCode,
  wrongCodeOf,
} from '../../oauth/support/two-factor.js';

const oauth = oauthDeskForFile();

const nextCode = () => oauth.desk.clock.advance({ seconds: 30 });

describe('a challenge', () => {
  it('ends after ten minutes, and when it has been passed', async () => {
    const agent = await enrol(oauth);
    const late = await challenged(oauth, agent.email);
    oauth.desk.clock.advance({ minutes: 10, seconds: 1 });
    const passed = await challenged(oauth, agent.email);
    const copy = new Map(passed.cookies);
    await giveCode(passed, codeOf(oauth, agent));
    nextCode();
    const replay = new Person(oauth.base);
    for (const [name, value] of copy) replay.cookies.set(name, value);

    expect((await late.get('/sign-in/code')).location).toBe('/sign-in');
    expect((await replay.get('/sign-in/code')).location).toBe('/sign-in');
    expect((await replay.post('/sign-in/code', { csrf: 'x', code: codeOf(oauth, agent) })).status).toBe(403);
  });

  it('belongs to the browser that submitted the password', async () => {
    const agent = await enrol(oauth);
    const owner = await challenged(oauth, agent.email);
    const other = new Person(oauth.base);
    const form = await other.get('/sign-in');
    const stolen = await other.post('/sign-in/code', { csrf: csrfOf(form), code: codeOf(oauth, agent) });

    expect([stolen.status, await other.isSignedIn()]).toEqual([422, false]);
    expect((await giveCode(owner, codeOf(oauth, agent))).status).toBe(303);
  });

  it('accepts one of two valid codes that are sent at once', async () => {
    const agent = await enrol(oauth);
    const person = await challenged(oauth, agent.email);
    const form = await person.get('/sign-in/code');
    const sent = [codeOf(oauth, agent), codeOf(oauth, agent, 30)].map((code) =>
      person.submit(form, '/sign-in/code', { code }),
    );

    expect((await Promise.all(sent)).filter(({ status }) => status === 303)).toHaveLength(1);
  });
});

describe('a recovery code', () => {
  it('signs in once, with any case and separators', async () => {
    const agent = await enrol(oauth);
    const [code = ''] = agent.recoveryCodes;
    const person = await challenged(oauth, agent.email);
    const first = await giveRecoveryCode(person, ` ${code.toUpperCase().replaceAll('-', ' ')} `);
    const second = await giveRecoveryCode(await challenged(oauth, agent.email), code);

    expect(agent.recoveryCodes).toHaveLength(10);
    expect([first.status, second.status]).toEqual([303, 422]);
    expect((await person.get('/profile')).html).toContain('9 recovery codes are left.');
  });

  it('signs in one of several browsers that use it at the same moment', async () => {
    const agent = await enrol(oauth);
    const people = await Promise.all(Array.from({ length: 8 }, () => challenged(oauth, agent.email)));
    const answers = await Promise.all(people.map((person) => giveRecoveryCode(person, agent.recoveryCodes[3]!)));

    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
  });

  it('does not work for another person', async () => {
    const [agent, other] = [await enrol(oauth), await enrol(oauth)];

    expect((await giveRecoveryCode(await challenged(oauth, agent.email), other.recoveryCodes[0]!)).status).toBe(422);
  });

  it('cannot be read in the database, nor can the key of the app', async () => {
    const agent = await enrol(oauth);
    const { rows } = await oauth.desk.sql.query(
      `select encode(a.sealed, 'escape') as sealed, string_agg(encode(r.hash, 'escape'), ' ') as hashes
       from authenticators a join recovery_codes r using (agent_id) where agent_id = $1 group by 1`,
      [agent.id],
    );

    expect(rows[0].sealed).not.toContain(agent.key.replaceAll(' ', ''));
    expect(agent.recoveryCodes.filter((code) => rows[0].hashes.includes(code.slice(0, 4)))).toEqual([]);
  });
});

describe('a wrong code', () => {
  let holder: Enrolled;
  beforeEach(async () => {
    holder = await enrol(oauth);
    holder.person.cookies.delete('deskwire-session');
  });

  /** Returns the responses to five wrong codes. */
  async function tryWrongCodes(person: Person): Promise<number[]> {
    await challenged(oauth, holder.email, person);
    const form = await person.get('/sign-in/code');
    const statuses = [];
    for (let n = 0; n < 5; n++)
      statuses.push((await person.submit(form, '/sign-in/code', { code: wrongCodeOf(oauth, holder) })).status);
    return statuses;
  }

  it('limits browsers that know only another agent of the email to twenty tries a day together', async () => {
    await inviteElsewhere(oauth, holder.email, 'a password of the attacker');
    const answered = [];
    for (let n = 0; n < 6; n++) {
      const browser = new Person(oauth.base);
      await browser.signIn(holder.email, 'a password of the attacker');
      browser.cookies.delete('deskwire-session');
      answered.push(await tryWrongCodes(browser));
    }
    const known = await giveCode(await challenged(oauth, holder.email, holder.person), codeOf(oauth, holder));

    expect(answered).toEqual([...times(4, times(5, 422)), ...times(2, times(5, 429))]);
    expect(known.status).toBe(303);
  });

  it('limits the browsers that know the agent to a hundred tries a day together, but no unknown browser', async () => {
    const browsers = [holder.person];
    for (const code of holder.recoveryCodes.slice(0, 2)) {
      const browser = await challenged(oauth, holder.email);
      await giveRecoveryCode(browser, code);
      browser.cookies.delete('deskwire-session');
      browsers.push(browser);
    }
    await tryWrongCodes(browsers[0]!);
    await tryWrongCodes(browsers[1]!);
    await multiplyAttempts(oauth, 10);

    expect(await tryWrongCodes(browsers[2]!)).toEqual(times(5, 429));
    expect((await giveCode(await challenged(oauth, holder.email), codeOf(oauth, holder))).status).toBe(303);
  });
});
