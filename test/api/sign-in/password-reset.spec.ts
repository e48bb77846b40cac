import { beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../../oauth/support/oauth-desk.js';
import { oauthDeskWithMails } from '../../oauth/support/oauth-desk-for-file.js';
import { Person } from '../../oauth/support/person.js';
import { eventually } from '#test/support/eventually.js';
import { seedAccount } from '#test/support/seed.js';

const [oauth, server] = oauthDeskWithMails({ MAIL_FROM: 'Acme <desk@acme.test>' });
beforeAll(() => oauth.desk.worker());

const mailsTo = (email: string) => server.mails.filter((mail) => mail.includes(`To: ${email}`));
const linkIn = (mail: string) => /http:\S+\/set-password\/[\w-]{43}/.exec(mail)?.[0] ?? '';

async function forget(email: string): Promise<void> {
  const person = new Person(oauth.base);
  await person.submit(await person.get('/forgot-password'), '/forgot-password', { email });
}

describe('a forgotten password', () => {
  it('can be replaced through a link in an email', async () => {
    const { email } = await oauth.agent();
    await forget(email);
    const mail = await eventually(() => mailsTo(email)[0]);
    const person = new Person(oauth.base);
    const path = new URL(linkIn(mail)).pathname;
    await person.submit(await person.get(path), path, { password: 'quite another password' });

    expect(mail).toContain('From: Acme <desk@acme.test>');
    expect((await new Person(oauth.base).signIn(email, 'quite another password')).status).toBe(303);
    expect((await new Person(oauth.base).signIn(email, PASSWORD)).status).toBe(422);
  });

  it('sends a link for each account of the email address, and none to an unknown address', async () => {
    const { email } = await oauth.agent();
    const globex = await seedAccount(oauth.desk.sql, { name: 'Globex' });
    await oauth.agent(globex.id, email);
    await forget('stranger@acme.test');
    await forget(email);
    await eventually(() => mailsTo(email).length === 2);

    const accounts = mailsTo(email).map((mail) => /for (\w+) on Deskwire/.exec(mail)?.[1]);
    expect(new Set(accounts)).toEqual(new Set(['Acme', 'Globex']));
    expect(mailsTo('stranger@acme.test')).toEqual([]);
  });

  it('sends at most five emails to one address', async () => {
    const { email } = await oauth.agent();
    for (let n = 0; n < 7; n++) await forget(email);
    const other = (await oauth.agent()).email;
    await forget(other);
    await eventually(() => mailsTo(other)[0]);
    await eventually(() => mailsTo(email).length === 5);
    const { rowCount } = await oauth.desk.sql.query('select from outgoing_mails where recipient = $1', [email]);

    expect(rowCount).toBe(5);
  });
});

describe('an invitation', () => {
  it('arrives by mail, names the account, and lets the agent join', async () => {
    const email = 'invited@acme.test';
    const invited = await oauth.desk.client().post('/v1/agents', { email, first_name: 'Ines', last_name: 'Roth' });
    const mail = await eventually(() => mailsTo(email)[0]);
    const person = new Person(oauth.base);
    const path = new URL(linkIn(mail)).pathname;
    const form = await person.get(path);
    await person.submit(form, path, { password: 'a password of my own' });

    expect(invited.body.agent.state).toBe('invited');
    expect(mail).toContain('Subject: You are invited to Acme on Deskwire');
    expect(form.html).toContain('Join Acme');
    expect((await oauth.desk.client().get(`/v1/agents/${email}`)).body.agent.state).toBe('active');
    expect((await person.get(oauth.authorizePath())).status).toBe(200);
  });
});
