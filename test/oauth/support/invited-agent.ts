import { PasswordsService } from '#libs/access';
import { seedAccount } from '#test/support/seed.js';
import type { OAuthDesk } from './oauth-desk.js';
import { Person } from './person.js';

interface InvitedAgent {
  readonly id: string;
  readonly accountId: string;
}

/**
 * The owner of a new account invites the email and sets the password through the link that is shown. The desk must have
 * no SMTP_URL.
 */
export async function inviteElsewhere(oauth: OAuthDesk, email: string, password: string): Promise<InvitedAgent> {
  const { id: accountId, owner } = await seedAccount(oauth.desk.sql, { name: 'Globex' });
  await oauth.desk.api.get(PasswordsService).set(accountId, owner.id, password);
  const inviter = new Person(oauth.base);
  await inviter.signIn(owner.email, password);
  const names = { first_name: 'Mallory', last_name: 'Moss', role: 'agent' };
  const form = await inviter.get('/settings/agents');
  const { html } = await inviter.submit(form, '/settings/agents', { email, ...names });
  const link = /\/set-password\/[\w-]{43}/.exec(html)![0];
  const invited = new Person(oauth.base);
  await invited.submit(await invited.get(link), link, { password });
  const { rows } = await oauth.desk.sql.query<{ id: string }>(
    "select id from agents where account_id = $1 and email = $2 and state = 'active'",
    [accountId, email],
  );
  return { id: rows[0]!.id, accountId };
}
