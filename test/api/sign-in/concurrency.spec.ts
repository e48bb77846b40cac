import { PasswordsService, SingleUseLinksService } from '#libs/access';
import type { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PASSWORD } from '../../oauth/support/oauth-desk.js';
import { oauthDeskForFile } from '../../oauth/support/oauth-desk-for-file.js';
import { Person, csrfOf } from '../../oauth/support/person.js';
import { challenged, codeOf, enrol } from '../../oauth/support/two-factor.js';
import { seedAccount } from '#test/support/seed.js';
import { eventually } from '#test/support/eventually.js';
import { beginRival, lockAgent, lockWaits } from '#test/support/rival.js';

const oauth = oauthDeskForFile();

/** A transaction that changes how an agent signs in during the sign-in. */
let rival: Client;
beforeEach(async () => {
  rival = await beginRival(oauth.desk);
});
afterEach(() => rival.end());

const changePassword = (id: string) => rival.query("update agents set password_hash = 'another' where id = $1", [id]);

/** Commits the rival’s transaction first, while the step waits for its lock. */
async function overtake<T>(step: Promise<T>, change: () => Promise<unknown> = () => Promise.resolve()): Promise<T> {
  await lockWaits(oauth.desk);
  await change();
  await rival.query('commit');
  return step;
}

const sessionsOf = async (id: string) =>
  (await oauth.desk.sql.query('select from sessions where agent_id = $1', [id])).rowCount;

describe('a sign-in during a change of the password', () => {
  it('opens no session', async () => {
    const { id, email } = await oauth.agent();
    const person = new Person(oauth.base);
    await changePassword(id);
    await overtake(person.signIn(email, PASSWORD));

    expect([await person.isSignedIn(), await sessionsOf(id)]).toEqual([false, 0]);
  });

  it('does not continue to the code', async () => {
    const { id, email } = await enrol(oauth);
    const person = new Person(oauth.base);
    await changePassword(id);
    await overtake(person.signIn(email, PASSWORD));

    expect((await person.get('/sign-in/code')).location).toBe('/sign-in');
  });

  it('opens no session with a valid code', async () => {
    const { id, email, key } = await enrol(oauth);
    const person = await challenged(oauth, email);
    const form = await person.get('/sign-in/code');
    const before = await sessionsOf(id);
    await changePassword(id);
    const code = codeOf(oauth, { key });
    await overtake(person.submit(form, '/sign-in/code', { code }));

    expect([await person.isSignedIn(), await sessionsOf(id)]).toEqual([false, before]);
  });

  it('cannot choose the account with the old password', async () => {
    const { id, email } = await oauth.agent();
    const other = await oauth.agent((await seedAccount(oauth.desk.sql)).id, email);
    const person = new Person(oauth.base);
    await changePassword(id);
    const form = await overtake(person.signIn(email, PASSWORD));
    const sent = [id, other.id].map((agent) => person.post('/sign-in/account', { csrf: csrfOf(form), agent }));
    const locations = (await Promise.all(sent)).map(({ location }) => location);

    expect(locations).toEqual(['/sign-in', '/']);
    expect([await sessionsOf(id), await sessionsOf(other.id)]).toEqual([0, 1]);
  });
});

it('asks for a code when two-factor sign-in is enabled during the sign-in', async () => {
  const { id, email } = await oauth.agent();
  const person = new Person(oauth.base);
  await lockAgent(rival, id);
  const page = await overtake(person.signIn(email, PASSWORD), () =>
    rival.query(
      `insert into authenticators (agent_id, account_id, sealed, key_id, confirmed_at, created_at)
       values ($1, $2, '', '', now(), now())`,
      [id, oauth.desk.account.id],
    ),
  );

  expect(page.location).toBe('/sign-in/code');
  expect((await person.get('/sign-in/code')).status).toBe(200);
  expect([await person.isSignedIn(), await sessionsOf(id)]).toEqual([false, 0]);
});

it('ends a choice of accounts when the password of one of them changes', async () => {
  const { id, email } = await oauth.agent();
  await oauth.agent((await seedAccount(oauth.desk.sql)).id, email);
  const person = new Person(oauth.base);
  const choice = await person.signIn(email, PASSWORD);
  await oauth.desk.api.get(PasswordsService).set(oauth.desk.account.id, id, 'quite another password');
  const { location } = await person.submit(choice, '/sign-in/account', { agent: id });

  expect([location, await sessionsOf(id)]).toEqual(['/sign-in', 0]);
});

it('can lock a session while its last-seen update waits for the agent, so that no deadlock occurs', async () => {
  const { id, email } = await oauth.agent();
  const person = await oauth.person(email);
  await lockAgent(rival, id);
  oauth.desk.clock.advance({ minutes: 2 });
  await person.get(oauth.authorizePath());
  await lockWaits(oauth.desk);

  expect((await rival.query('select from sessions where agent_id = $1 for update nowait', [id])).rowCount).toBe(1);
});

it('stores the same last-seen time for a session and its agent', async () => {
  const { id, email } = await oauth.agent();
  const person = await oauth.person(email);
  oauth.desk.clock.advance({ minutes: 2 });
  const before = oauth.desk.clock.now();
  await person.get(oauth.authorizePath());

  const seen = await eventually(async () => {
    const { rows } = await oauth.desk.sql.query<{ session: Date; agent: Date }>(
      'select s.last_seen_at as session, a.last_seen_at as agent from sessions s join agents a on a.id = s.agent_id where a.id = $1',
      [id],
    );
    return rows.find(({ session }) => session >= before);
  });
  expect(seen.agent).toEqual(seen.session);
});

it('refuses a password link that was used in the meantime, and keeps newer links valid', async () => {
  const { id } = await oauth.agent();
  const links = oauth.desk.api.get(SingleUseLinksService);
  const issueToken = async () => (await links.issue(oauth.desk.account.id, id))!.path.slice('/set-password/'.length);
  const used = await issueToken();
  await lockAgent(rival, id);
  await rival.query('delete from single_use_links where agent_id = $1', [id]);
  const newer = await issueToken();

  const late = links.redeem(used, 'quite another password');
  await lockWaits(oauth.desk);
  await rival.query('commit');

  expect(await late).toBeUndefined();
  expect(await links.find(newer)).toMatchObject({ agentId: id });
});
