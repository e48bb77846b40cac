import { ApplicationsService, GrantsService, PersonalTokensService } from '#libs/access';
import { afterAll, describe, expect, it } from 'vitest';
import { LiveUpdatesService } from '../../../apps/api/src/layers/live/live-updates.service.js';
import { OAuthDesk, type TestApplication } from '../../oauth/support/oauth-desk.js';
import { ApiClient } from '#test/support/api-client.js';
import { eventually } from '#test/support/eventually.js';
import type { SeededAgent } from '#test/support/seed.js';
import { Mirror } from '#test/support/mirror.js';

// With one place for each agent, a second request ends the first and shows that it waited.
const oauth = await OAuthDesk.start({ LIVE_STREAMS_PER_AGENT: '1' });
const bases = [oauth.base, (await oauth.desk.apiProcess()).base];
afterAll(() => oauth.stop());

interface Holder {
  readonly agent: SeededAgent;
  readonly app: TestApplication;
  readonly access: string;
  readonly refresh: string;
}

async function holder(): Promise<Holder> {
  const [agent, app] = [await oauth.agent(), await oauth.application({})];
  const tokens = await oauth.tokens(await oauth.person(agent.email), {}, app);
  return { agent, app, access: tokens.access_token, refresh: tokens.refresh_token };
}

const cursor = async (): Promise<string> => {
  const mirror = new Mirror(oauth.desk.client());
  await mirror.catchUp(oauth.desk.sql);
  return mirror.cursor!;
};

const waitFrom = (base: string, token: string, from: string, seconds = 30): Promise<Response> =>
  fetch(new URL(`/v1/changes?wait=${seconds}&cursor=${from}`, base), { headers: { authorization: `Bearer ${token}` } });

const READER_WAITS = 'select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))';

/** Returns a request that waits in the process at `base`. */
async function startWaiting(base: string, token: string, from: string): Promise<{ answer: Promise<Response> }> {
  const [one, other] = [waitFrom(base, token, from), waitFrom(base, token, from)];
  const isOne = await Promise.race([one.then(() => true), other.then(() => false)]);
  return { answer: isOne ? other : one };
}

const WAYS: Record<string, (held: Holder) => Promise<unknown>> = {
  'the person revokes the access of an application': ({ app, agent: { id } }) =>
    oauth.desk.api.get(GrantsService).revokeApplication(oauth.desk.account.id, app.id, { by: id, grantedBy: id }),
  'the application revokes the token': ({ app, access }) => revoke(app, access),
  'the application revokes the refresh token': ({ app, refresh }) => revoke(app, refresh),
  'the operator disables the application': ({ app }) =>
    oauth.desk.api.get(ApplicationsService).disable({ clientId: app.clientId }),
  'the person revokes the personal access token': async ({ agent: { id } }) => {
    const tokens = oauth.desk.api.get(PersonalTokensService);
    const [listed] = await tokens.list(oauth.desk.account.id, id);
    await tokens.revoke(oauth.desk.account.id, listed!.id, 'person', id);
  },
  'the agent is archived': ({ agent }) => oauth.desk.client().post(`/v1/agents/${agent.email}/archive`),
};

const revoke = ({ clientId, secret }: TestApplication, token: string) =>
  new ApiClient(oauth.base).post('/oauth/revoke', { client_id: clientId, client_secret: secret, token });

/** Returns the responses in each process, and how long the slowest one took. */
async function answersTo(token: string, end: () => Promise<unknown>) {
  const from = await cursor();
  const waiting = await Promise.all(bases.map((base) => startWaiting(base, token, from)));
  const start = performance.now();
  await end();
  const answers = await Promise.all(waiting.map(({ answer }) => answer));
  return { statuses: answers.map(({ status }) => status), ms: performance.now() - start };
}

describe('a request that waits for changes', () => {
  it.each(Object.entries(WAYS))('returns 401 at once in every process when %s', async (way, end) => {
    const held = await holder();
    const token = way.includes('personal') ? held.agent.token : held.access;
    const { statuses, ms } = await answersTo(token, () => end(held));

    expect(statuses).toEqual([401, 401]);
    expect(ms).toBeLessThan(5000);
  });

  it('returns 401 when its access ends after its token was checked and before it waits', async () => {
    const { app, access } = await holder();
    const from = await cursor();
    // Afterwards the process listens.
    await waitFrom(oauth.base, access, from, 1);
    const isNotified = new Promise<void>((resolve) =>
      oauth.desk.api.get(LiveUpdatesService).onAccessEnded((id) => id === app.id && resolve()),
    );
    await oauth.desk.sql.query('begin; lock table customers in access exclusive mode');
    const reader = waitFrom(oauth.base, access, from);
    try {
      await eventually(async () => (await oauth.desk.sql.query(READER_WAITS)).rowCount === 1);
      await oauth.desk.api.get(ApplicationsService).disable({ clientId: app.clientId });
      await isNotified;
    } finally {
      await oauth.desk.sql.query('commit');
    }

    expect((await reader).status).toBe(401);
  });

  it('goes on waiting when another token of the same grant is revoked', async () => {
    const held = await holder();
    const refreshed = (await oauth.refresh(held.refresh, {}, held.app)).body;
    const waiting = await startWaiting(oauth.base, refreshed.access_token as string, await cursor());
    await revoke(held.app, held.access);
    await oauth.desk.client().post('/v1/customers', { email: `${held.agent.id}@acme.test` });
    const answer = await waiting.answer;

    expect(answer.status).toBe(200);
    expect(((await answer.json()) as { changes: object[] }).changes).toHaveLength(1);
  });
});
