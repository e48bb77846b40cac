import { PasswordsService } from '#libs/access';
import { Database } from '#libs/database';
import type { AgentRole } from '#libs/entities';
import { describe, expect, it } from 'vitest';
import { PASSWORD } from '../../oauth/support/oauth-desk.js';
import { oauthDeskForFile } from '../../oauth/support/oauth-desk-for-file.js';
import { MailServer } from '../../oauth/support/mail-server.js';
import { type Page, Person, csrfOf } from '../../oauth/support/person.js';
import { startDesk } from '#test/support/desk.js';
import { inviteAgent } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { beginRival, lockAgent, lockWaits } from '#test/support/rival.js';
import { seedAgent } from '#test/support/seed.js';

// With few connections, other requests come between the steps of one.
const oauth = oauthDeskForFile({ DATABASE_POOL_SIZE: '2' });

interface Inviter {
  readonly person: Person;
  sendAgain(agentId: string): Promise<Page>;
}

async function inviter(role: AgentRole): Promise<Inviter> {
  const { desk } = oauth;
  const { id, email } = await seedAgent(desk.sql, desk.account.id, { role });
  await desk.api.get(PasswordsService).set(desk.account.id, id, PASSWORD);
  const person = await oauth.person(email);
  const csrf = csrfOf(await person.get('/profile'));
  return { person, sendAgain: (agentId) => person.post(`/settings/agents/${agentId}/invite`, { csrf }) };
}

const linkIn = ({ html }: Page): string | undefined => /\/set-password\/[\w-]{43}/.exec(html)?.[0];

describe('sending the invitation of an owner again', () => {
  it('answers an admin with 403, and gives an owner a link that makes an owner', async () => {
    const { id } = await inviteAgent(oauth.desk, { role: 'owner' });
    const [admin, owner] = [await inviter('admin'), await inviter('owner')];

    const refused = await admin.sendAgain(id);
    const allowed = await owner.sendAgain(id);

    expect([refused.status, linkIn(refused)]).toEqual([403, undefined]);
    const newcomer = new Person(oauth.base);
    const path = linkIn(allowed)!;
    await newcomer.submit(await newcomer.get(path), path, { password: PASSWORD });
    expect((await newcomer.get('/settings/security')).status).toBe(200);
  });
});

describe('sending an invitation again while the invited person joins', () => {
  it('gives the inviter no link that sets the password of the active agent', async () => {
    const admin = await inviter('admin');
    const opened: (number | string | undefined)[] = [];
    // The link is made after the agent has joined in nearly every round.
    for (let round = 0; round < 2; round++) {
      const link = linkIn(await againWhileJoining(admin));
      opened.push(link && (await new Person(oauth.base).get(link)).status);
    }
    expect(opened.filter((status) => status === 200)).toEqual([]);
  });
});

async function againWhileJoining(admin: Inviter): Promise<Page> {
  const { id } = await inviteAgent(oauth.desk);
  const path = linkIn(await admin.sendAgain(id))!;
  const newcomer = new Person(oauth.base);
  const form = await newcomer.get(path);
  const rival = await beginRival(oauth.desk);
  await lockAgent(rival, id);

  const again = admin.sendAgain(id);
  await lockWaits(oauth.desk);
  const joining = newcomer.submit(form, path, { password: PASSWORD });
  await lockWaits(oauth.desk, 2);
  // These take the connection that the first request needs again.
  const others = Array.from({ length: 20 }, () => admin.person.get('/settings/agents'));
  const pool = oauth.desk.api.get(Database).pool();
  await eventually(() => pool.waitingCount > 10);
  await rival.query('commit');
  await rival.end();
  expect((await joining).status).toBe(303);
  await Promise.all(others);
  return again;
}

describe('the worker', () => {
  it('sends no queued invitation to an agent who has joined, not even as a link for a new password', async () => {
    const mails = await MailServer.start();
    const desk = await startDesk({ settings: { SMTP_URL: mails.url } });
    const [joined, invited] = [await inviteAgent(desk), await inviteAgent(desk)];
    await desk.api.get(PasswordsService).set(desk.account.id, joined.id, PASSWORD);
    await desk.worker();

    const { reason } = await eventually(async () => {
      const { rows } = await desk.sql.query(
        "select reason from outgoing_mails where recipient = $1 and state <> 'queued'",
        [joined.email],
      );
      return rows[0] as { reason: string } | undefined;
    });
    await eventually(() => mails.mails.some((text) => text.includes(`To: ${invited.email}`)));
    expect(reason).toBe('The agent has already joined or was archived.');
    expect(mails.mails.filter((text) => text.includes(joined.email))).toEqual([]);
    await desk.stop();
    mails.stop();
  });
});
