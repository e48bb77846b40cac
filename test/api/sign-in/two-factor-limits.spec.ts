import { beforeEach, describe, expect, it } from 'vitest';
import { inviteElsewhere } from '../../oauth/support/invited-agent.js';
import { oauthDeskForFile } from '../../oauth/support/oauth-desk-for-file.js';
import { Person } from '../../oauth/support/person.js';
import {
  type Enrolled,
  challenged,
  enrol,
  giveCode,
  giveRecoveryCode,
  codeOf,
  wrongCodeOf,
} from '../../oauth/support/two-factor.js';

const OWN = 'a password of the attacker';

const oauth = oauthDeskForFile();

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

const fiveTimes = (status: number): number[] => Array.from({ length: 5 }, () => status);

describe('browsers that know only another agent of the email', () => {
  it('try twenty codes in a day together, while a browser that knows the agent signs in', async () => {
    await inviteElsewhere(oauth, holder.email, OWN);
    const answered = [];
    for (let n = 0; n < 6; n++) {
      const browser = new Person(oauth.base);
      await browser.signIn(holder.email, OWN);
      browser.cookies.delete('deskwire-session');
      answered.push(await tryWrongCodes(browser));
    }
    const known = await giveCode(await challenged(oauth, holder.email, holder.person), codeOf(oauth, holder));

    expect(answered).toEqual([...Array.from({ length: 4 }, () => fiveTimes(422)), fiveTimes(429), fiveTimes(429)]);
    expect(known.status).toBe(303);
  });
});

describe('the browsers that know an agent', () => {
  it('try a hundred codes in a day together, while an unknown browser signs in', async () => {
    const browsers = [holder.person];
    for (const code of holder.recoveryCodes.slice(0, 2)) {
      const browser = await challenged(oauth, holder.email);
      await giveRecoveryCode(browser, code);
      browser.cookies.delete('deskwire-session');
      browsers.push(browser);
    }
    await tryWrongCodes(browsers[0]!);
    await tryWrongCodes(browsers[1]!);
    // Counts each try ten times.
    await oauth.desk.sql.query('update throttles set count = count * 10');

    expect(await tryWrongCodes(browsers[2]!)).toEqual(fiveTimes(429));
    expect((await giveCode(await challenged(oauth, holder.email), codeOf(oauth, holder))).status).toBe(303);
  });
});
