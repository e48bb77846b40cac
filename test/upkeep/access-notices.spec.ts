import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedAgent } from '#test/support/seed.js';
import { DeskUpkeep } from '#test/support/upkeep.js';
import { oauthDeskForFile, oauthDeskWithMails } from '../oauth/support/oauth-desk-for-file.js';
import type { OAuthDesk } from '../oauth/support/oauth-desk.js';

const [oauth, mail] = oauthDeskWithMails();
const mute = oauthDeskForFile();
let upkeep: DeskUpkeep;
let owner: string;
beforeAll(async () => {
  upkeep = await DeskUpkeep.start(oauth.desk);
  owner = oauth.desk.account.owner.email;
});
afterAll(() => upkeep.stop());

/** Returns the recipients and texts of the mails that were sent since the last call. */
async function newMails() {
  while ((await upkeep.sendMails()) > 0);
  const texts = mail.mails.splice(0).filter((text) => text.includes('was given access'));
  return texts.map((text) => ({ to: /^To: (.+)$/m.exec(text)![1], text }));
}

const recipients = async () => new Set((await newMails()).map(({ to }) => to));

async function agentWho(desk: OAuthDesk = oauth) {
  const { email } = await desk.agent();
  return { email, person: await desk.person(email) };
}

describe('the mail about access of an application', () => {
  it('tells the person and the owners what the application may do, until when, and where to revoke it', async () => {
    const { email, person } = await agentWho();
    await seedAgent(oauth.desk.sql, oauth.desk.account.id, { role: 'admin' });
    const path = oauth.authorizePath({ scope: 'read webhooks' });
    await person.submit(await person.get(path), path, { decision: 'allow', duration: '24h' });
    const mails = await newMails();

    expect(mails).toHaveLength(2);
    expect(new Set(mails.map(({ to }) => to))).toEqual(new Set([email, owner]));
    for (const { to, text } of mails) {
      expect(text).toMatch(new RegExp(`${email} gave the application .+Ticket Mirror.+ access to Acme`));
      expect(text).toContain('Permissions: read, manage its webhooks');
      expect(text).toMatch(/Expires: \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
      expect(text).toContain('Returns to: app.example');
      expect(text).toContain(`${oauth.base}${to === email ? '/profile' : '/settings/applications'}\n`);
    }
  });

  it('goes once to an owner who gives access', async () => {
    await oauth.code(await oauth.person(), { scope: 'write' });
    expect((await newMails()).map(({ to }) => to)).toEqual([owner]);
  });

  it.each(['read', 'tickets:read people:read'])('is not sent for %s', async (scope) => {
    const { person } = await agentWho();
    await oauth.code(person, { scope });
    expect(await newMails()).toEqual([]);
  });

  it('is sent again only when access grows', async () => {
    const { email, person } = await agentWho();
    await oauth.code(person, { scope: 'read write' });
    expect(await recipients()).toEqual(new Set([email, owner]));
    await oauth.code(person, { scope: 'tickets:write', prompt: 'consent' });
    await oauth.code(person, { scope: 'read write' });
    expect(await newMails()).toEqual([]);
    await oauth.code(person, { scope: 'read admin' });
    const mails = await newMails();

    expect(mails).toHaveLength(2);
    expect(mails[0]!.text).toContain('Permissions: read, change tickets and customers, manage people and settings');
  });

  it('is sent when an application that could only manage webhooks may also read', async () => {
    const { person } = await agentWho();
    await oauth.code(person, { scope: 'webhooks' });
    await newMails();
    await oauth.code(person, { scope: 'read' });
    expect(await newMails()).toHaveLength(2);
  });

  it('makes no link or line of the name of the application', async () => {
    const name = 'Win at https://evil.example/x\r\n\r\nReply to me@evil.example';
    const app = await oauth.application({ name });
    await oauth.code(await oauth.person(), { scope: 'write' }, app);
    const text = (await newMails())[0]!.text;

    expect(text).toContain('Win at https evil example x Reply to me evil example');
    expect(text).not.toMatch(/evil\.example|^Reply/m);
  });

  it('does not keep an installation without email from giving access', async () => {
    const { person } = await agentWho(mute);
    expect(await mute.code(person, { scope: 'write' })).not.toBe('');
  });
});
