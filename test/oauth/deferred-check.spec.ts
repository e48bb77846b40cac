import { ApplicationsService, GrantsService } from '#libs/access';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '#test/support/api-client.js';
import { startTicket } from '#test/support/desk-records.js';
import { roundTripsOf } from '#test/support/round-trips.js';
import type { TestApplication } from './support/oauth-desk.js';
import { oauthDeskForFile } from './support/oauth-desk-for-file.js';

const oauth = oauthDeskForFile();
let number: number;
beforeAll(async () => {
  ({ number } = await startTicket(oauth.desk));
});

interface Holder {
  readonly agent: { readonly id: string; readonly email: string };
  readonly app: TestApplication;
  readonly client: ApiClient;
  readonly access: string;
}

const note = (client: ApiClient, body: unknown = 'Seen.', ticket = number, headers = {}) =>
  client.post(`/v1/tickets/${ticket}/messages`, { body, note: true }, headers);

/** Its token was used a moment ago. */
async function holder(): Promise<Holder> {
  const [agent, app] = [await oauth.agent(), await oauth.application({})];
  const { access_token: access } = await oauth.tokens(await oauth.person(agent.email), {}, app);
  const client = new ApiClient(oauth.base, access);
  for (let time = 0; time < 2; time++) expect((await note(client)).status).toBe(201);
  return { agent, app, client, access };
}

const ENDINGS: Record<string, (held: Holder) => Promise<unknown>> = {
  'is revoked': ({ app, access }) =>
    new ApiClient(oauth.base).post('/oauth/revoke', {
      client_id: app.clientId,
      client_secret: app.secret,
      token: access,
    }),
  expires: ({ agent: { id } }) =>
    oauth.desk.sql.query(
      'update tokens set expires_at = now() where grant_id in (select id from grants where agent_id = $1)',
      [id],
    ),
  'loses its grant': ({ app, agent: { id } }) =>
    oauth.desk.api.get(GrantsService).revokeApplication(oauth.desk.account.id, app.id, { by: id, grantedBy: id }),
  'belongs to a disabled application': ({ app }) =>
    oauth.desk.api.get(ApplicationsService).disable({ clientId: app.clientId }),
  'belongs to an archived agent': ({ agent }) => oauth.desk.client().post(`/v1/agents/${agent.email}/archive`),
};

const messages = async (): Promise<number> =>
  (
    await oauth.desk.sql.query('select from messages where ticket_id = (select id from tickets where number = $1)', [
      number,
    ])
  ).rowCount!;

describe('a token that was used a moment ago', () => {
  it('passes its check with the first statement of the transaction', async () => {
    const { client } = await holder();

    const made = await roundTripsOf(() => note(client));

    expect(made.filter((names) => names.includes('bearer_find'))).toEqual([
      'tx_begin + bearer_find + ticket_lock_with_actor',
    ]);
  });

  it.each(Object.entries(ENDINGS))('writes nothing once it %s, for any request', async (_way, end) => {
    const held = await holder();
    const before = await messages();
    await end(held);
    const answers = [
      await note(held.client),
      await note(held.client, 'Seen.', 999_999),
      await note(held.client, 42),
      await note(held.client, 'Seen.', number, { 'idempotency-key': 'a' }),
    ];

    expect(answers.map(({ status, body }) => [status, body.error])).toEqual(answers.map(() => [401, 'invalid_token']));
    expect(await messages()).toBe(before);
  });

  it('has the rights of the present role of its agent', async () => {
    const { client, agent } = await holder();
    const forOther = () =>
      client.post(`/v1/tickets/${number}/messages`, { body: 'Seen.', author: oauth.desk.account.owner.email });
    const setRole = (role: string) =>
      oauth.desk.sql.query('update agents set role = $1 where id = $2', [role, agent.id]);

    expect((await forOther()).status).toBe(403);
    await setRole('admin');
    expect((await forOther()).status).toBe(201);
    await setRole('agent');
    expect((await forOther()).status).toBe(403);
  });

  it('fails in each of twenty simultaneous requests after its access ended', async () => {
    const { client, agent } = await holder();
    await oauth.desk.sql.query('update grants set revoked_at = now() where agent_id = $1', [agent.id]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => note(client)));

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
  });
});
