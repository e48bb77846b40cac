import { PasswordsService } from '#libs/access';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PASSWORD } from '../../oauth/support/oauth-desk.js';
import { oauthDeskForFile } from '../../oauth/support/oauth-desk-for-file.js';
import { Person, csrfOf } from '../../oauth/support/person.js';
import { challenged, enrol } from '../../oauth/support/two-factor.js';
import { seedAccount } from '#test/support/seed.js';
import { codeAt } from '#test/support/authenticator.js';
import { eventually } from '#test/support/eventually.js';

const oauth = oauthDeskForFile();

/** A transaction that changes how an agent signs in during the sign-in. */
let rival: Client;
beforeEach(async () => {
  rival = new Client({ connectionString: oauth.desk.environment['DATABASE_URL'] });
  await rival.connect();
  await rival.query('begin');
});
afterEach(() => rival.end());

const changePassword = (id: string) => rival.query("update agents set password_hash = 'another' where id = $1", [id]);

/** Commits the rival’s transaction first, while the step waits for its lock. */
async function overtake<T>(step: Promise<T>, change: () => Promise<unknown> = () => Promise.resolve()): Promise<T> {
  await eventually(async () => {
    const { rowCount } = await oauth.desk.sql.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rowCount === 1;
  });
  await change();
  await rival.query('commit');
  return step;
}

const isSignedIn = async (person: Person) => (await person.get('/profile')).status === 200;

const sessionsOf = async (id: string) =>
  (await oauth.desk.sql.query('select from sessions where agent_id = $1', [id])).rowCount;

describe('a sign-in during a change of the password', () => {
  it('opens no session', async () => {
    const { id, email } = await oauth.agent();
    const person = new Person(oauth.base);
    await changePassword(id);
    await overtake(person.signIn(email, PASSWORD));

    expect([await isSignedIn(person), await sessionsOf(id)]).toEqual([false, 0]);
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
    const code = codeAt(key, oauth.desk.clock.now());
    await overtake(person.submit(form, '/sign-in/code', { code }));

    expect([await isSignedIn(person), await sessionsOf(id)]).toEqual([false, before]);
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
  await rival.query('select from agents where id = $1 for no key update', [id]);
  const page = await overtake(person.signIn(email, PASSWORD), () =>
    rival.query(
      `insert into authenticators (agent_id, account_id, sealed, key_id, confirmed_at, created_at)
       values ($1, $2, '', '', now(), now())`,
      [id, oauth.desk.account.id],
    ),
  );

  expect(page.location).toBe('/sign-in/code');
  expect((await person.get('/sign-in/code')).status).toBe(200);
  expect([await isSignedIn(person), await sessionsOf(id)]).toEqual([false, 0]);
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
