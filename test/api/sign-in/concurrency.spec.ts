import { SingleUseLinksService } from '#libs/access';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { oauthDeskForFile } from '../../oauth/support/oauth-desk-for-file.js';
import { eventually } from '#test/support/eventually.js';

const oauth = oauthDeskForFile();

/** A transaction that holds the lock on the agent, as a password change does. */
let rival: Client;
beforeEach(async () => {
  rival = new Client({ connectionString: oauth.desk.environment['DATABASE_URL'] });
  await rival.connect();
  await rival.query('begin');
});
afterEach(() => rival.end());

const lockAgent = (id: string) => rival.query('select from agents where id = $1 for no key update', [id]);

const somebodyWaits = () =>
  eventually(async () => {
    const { rowCount } = await oauth.desk.sql.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rowCount === 1;
  });

it('can lock a session while its last-seen update waits for the agent, so that no deadlock occurs', async () => {
  const { id, email } = await oauth.agent();
  const person = await oauth.person(email);
  await lockAgent(id);
  oauth.desk.clock.advance({ minutes: 2 });
  await person.get(oauth.authorizePath());
  await somebodyWaits();

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
  await lockAgent(id);
  await rival.query('delete from single_use_links where agent_id = $1', [id]);
  const newer = await issueToken();

  const late = links.redeem(used, 'quite another password');
  await somebodyWaits();
  await rival.query('commit');

  expect(await late).toBeUndefined();
  expect(await links.find(newer)).toMatchObject({ agentId: id });
});
