import { CredentialsService, ExpiredRecordsService, SingleUseLinksService } from '#libs/access';
import { expect, it } from 'vitest';
import { oauthDeskForFile } from '../../oauth/support/oauth-desk-for-file.js';

const oauth = oauthDeskForFile();

const purge = () => oauth.desk.api.get(ExpiredRecordsService).purge();

const TABLES = ['authorization_codes', 'sessions', 'visits', 'single_use_links', 'throttles'];

async function counted(): Promise<Record<string, number>> {
  const counts = TABLES.map((table) => `(select count(*)::int from ${table}) as ${table}`);
  const { rows } = await oauth.desk.sql.query<Record<string, number>>(`select ${counts.join(', ')}`);
  return rows[0] ?? {};
}

it('removes expired records, and keeps those that detect a second use', async () => {
  const person = await oauth.person();
  const code = await oauth.code(person);
  const { refresh_token: first } = (await oauth.exchange(code)).body as { refresh_token: string };
  const { access_token: second } = (await oauth.refresh(first)).body as { access_token: string };
  await oauth.desk.api.get(CredentialsService).offer('x', [], '/');
  await oauth.exchange('x', { client_secret: 'wrong' });
  await oauth.desk.api.get(SingleUseLinksService).issue(oauth.desk.account.id, oauth.desk.account.owner.id);
  const before = await counted();
  expect(before).toMatchObject({ visits: 1 });
  await purge();
  expect(await counted()).toEqual(before);

  oauth.desk.clock.advance({ hours: 1, seconds: 1 });
  await purge();
  const salts = await oauth.desk.sql.query('select from tokens where retry_salt is not null');
  expect(salts.rowCount).toBe(0);
  expect(await counted()).toMatchObject({ authorization_codes: 1, sessions: 1, visits: 0, single_use_links: 0 });
  expect(await oauth.works(second)).toBe(true);
  expect((await oauth.refresh(first)).body.error).toBe('invalid_grant');
  expect(await oauth.works(second)).toBe(false);

  oauth.desk.clock.advance({ days: 40 });
  await purge();
  expect(Object.values(await counted())).toEqual([0, 0, 0, 0, 0]);
});
