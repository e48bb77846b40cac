import { SessionsService } from '#libs/access';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MailServer } from '../oauth/support/mail-server.js';
import { OAuthDesk, PASSWORD } from '../oauth/support/oauth-desk.js';
import { Person } from '../oauth/support/person.js';
import { DeskUpkeep } from '#test/support/upkeep.js';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';

let mail: MailServer;
let oauth: OAuthDesk;
let upkeep: DeskUpkeep;
beforeAll(async () => {
  mail = await MailServer.start();
  oauth = await OAuthDesk.start({ SMTP_URL: mail.url });
  upkeep = await DeskUpkeep.start(oauth.desk);
});
afterAll(async () => {
  await upkeep.stop();
  await oauth.stop();
  mail.stop();
});

async function signIn(email: string, person = new Person(oauth.base), userAgent = FIREFOX): Promise<Person> {
  const csrf = /name="csrf" value="([^"]+)"/.exec((await person.get('/sign-in')).html)![1]!;
  await person.post('/sign-in', { csrf, email, password: PASSWORD }, { 'user-agent': userAgent });
  return person;
}

async function mailsTo(email: string): Promise<string[]> {
  while ((await upkeep.sendMails()) > 0);
  return mail.mails.filter((text) => text.includes(`To: ${email}`));
}

describe('the mail about a sign-in', () => {
  it('goes to agents with a new browser, but not for the first or a known one', async () => {
    const { email } = await oauth.agent();
    const first = await signIn(email);
    expect(await mailsTo(email)).toEqual([]);
    await signIn(email);
    const mails = await mailsTo(email);
    first.cookies.delete('deskwire-session');
    await signIn(email, first);

    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain('Subject: New sign-in to Acme');
    expect(mails[0]).toContain('Browser: Firefox 150 on Linux');
    expect(mails[0]).toContain('IP address: 127.0.0.1');
    expect(mails[0]).toMatch(/When: \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    expect(mails[0]).toContain(`${oauth.base}/profile`);
    expect(await mailsTo(email)).toHaveLength(1);
  });

  it('contains no text that the visitor has chosen', async () => {
    const { email } = await oauth.agent();
    await signIn(email);
    await signIn(email, new Person(oauth.base), 'All is well. Confirm at http://evil.example');

    expect((await mailsTo(email))[0]).toContain('Browser: unknown');
    expect((await mailsTo(email))[0]).not.toContain('evil.example');
  });

  it('goes out at most twenty times a day, however often the agent signs out', async () => {
    const { id, email } = await oauth.agent();
    const browser = { userAgent: FIREFOX, address: '127.0.0.1', isNew: true };
    const agent = { accountId: oauth.desk.account.id, id };
    const sessions = oauth.desk.api.get(SessionsService);
    await sessions.open(agent, { ...browser, isNew: false });
    for (let n = 0; n < 25; n++) await sessions.close((await sessions.open(agent, browser)).token);

    expect(await mailsTo(email)).toHaveLength(20);
  });
});
