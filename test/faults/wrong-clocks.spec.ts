// @module-tag long
import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import { runCli } from '../cli/run.js';
import { OAuthDesk } from '../oauth/support/oauth-desk.js';
import { ApiClient } from '#test/support/api-client.js';
import type { AppProcess } from '#test/support/app-process.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { MachineClock } from '#test/support/machine-clock.js';
import type { Receiver } from '#test/support/receiver.js';
import { arrivals, recordEvents } from './traffic.js';

const TEN_MINUTES_MS = 600_000;
const HOUR_MS = 3_600_000;

let oauth: OAuthDesk;
beforeAll(async () => {
  oauth = await OAuthDesk.start();
});
afterAll(() => oauth.stop());

const exchange = async (at: AppProcess) => {
  const { clientId, secret, redirectUri } = oauth.app;
  const code = await oauth.code(await oauth.person());
  return new ApiClient(at.base).post('/oauth/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    client_secret: secret,
    redirect_uri: redirectUri,
    code,
  });
};

/** Whether the API accepts a fresh token after its expiry was moved by these seconds from PostgreSQL’s time. */
async function acceptsTokenThatEndsIn(seconds: number, at: AppProcess): Promise<boolean> {
  const { access_token: token } = await oauth.tokens(await oauth.person());
  await oauth.desk.sql.query(
    `update tokens set expires_at = clock_timestamp() + $1::int * interval '1 second' where hash = sha256($2::text::bytea)`,
    [seconds, token],
  );
  return (await new ApiClient(at.base, token).get('/v1/tickets')).status === 200;
}

/** The texts of the messages that the APIs wrote in turn, in the order of the thread. */
async function writtenInTurn(apis: readonly string[], texts: readonly string[]): Promise<string[]> {
  const { number } = await startTicket(oauth.desk);
  for (const [place, body] of texts.entries()) {
    const client = new ApiClient(apis[place % apis.length]!, oauth.desk.account.owner.token);
    expect((await client.post(`/v1/tickets/${number}/messages`, { body })).status).toBe(201);
  }
  const { body } = await oauth.desk.client().get(`/v1/tickets/${number}/messages`);
  const found = (body['messages'] as { body: string }[]).map((message) => message.body);
  return found.filter((text) => texts.includes(text));
}

const TEXTS = Array.from({ length: 8 }, (_, place) => `<p>message ${place}</p>`);

const clocksInDoctor = async (): Promise<string[]> => {
  const { out } = await runCli(['doctor'], oauth.desk.environment);
  return out.split('\n').filter((line) => / clocks /.test(line));
};

const linesWith = (app: AppProcess, words: string): string[] =>
  app
    .output()
    .split('\n')
    .filter((line) => line.includes(words));

describe.each([
  ['behind', -TEN_MINUTES_MS],
  ['ahead', TEN_MINUTES_MS],
])('an API whose machine is ten minutes %s', { timeout: 90_000 }, (word, aheadMs) => {
  let api: AppProcess;
  beforeAll(async () => {
    api = await oauth.desk.apiProcess({ ...new MachineClock(aheadMs).settings(), LOG_LEVEL: 'warn' });
  }, 60_000);

  it('exchanges a fresh code', async () => {
    const { status, body } = await exchange(api);

    expect(status).toBe(200);
    expect(await oauth.works(body['access_token'] as string)).toBe(true);
  });

  it('judges tokens by the time of PostgreSQL', async () => {
    expect(await acceptsTokenThatEndsIn(-300, api)).toBe(false);
    expect(await acceptsTokenThatEndsIn(300, api)).toBe(true);
  });

  it('writes messages that sort with those of another API', async () => {
    expect(await writtenInTurn([api.base, oauth.base], TEXTS)).toEqual(TEXTS);
  });

  it('has each event delivered once by a receiver that takes 300 ms', async () => {
    const receiver = await subscribedReceiver(300);
    const worker = await oauth.desk.worker();
    const client = new ApiClient(api.base, oauth.desk.account.owner.token);
    for (let one = 0; one < 60; one++)
      expect((await client.post('/v1/customers', { email: `${word}-${one}@client.test` })).status).toBe(201);

    await receiver.received(60, { withinMs: 30_000 });
    await worker.stop();
    expect(arrivals([receiver])).toEqual({ events: 60, duplicates: 0 });
  });

  it('makes doctor red on another host, logs its clock once and stays ready', async () => {
    const line = new RegExp(`^red .* the clock of ${hostname()} \\(API ${api.pid}\\) differs .* by \\d{6} ms`);
    await eventually(async () => expect(await clocksInDoctor()).toContainEqual(expect.stringMatching(line)));

    expect(linesWith(api, ` s ${word} `)).toHaveLength(1);
    expect((await fetch(`${api.base}/readyz`)).status).toBe(200);
    const beats = await oauth.desk.sql.query('select from worker_heartbeats where pid = $1', [api.pid]);
    expect(beats.rowCount).toBe(0);
  });
});

describe('an API whose clock changes while it runs', { timeout: 60_000 }, () => {
  it.each([
    ['back', { aheadMs: -HOUR_MS }],
    ['forward', { aheadMs: HOUR_MS }],
  ])(
    'keeps the time of PostgreSQL when its clock is set %s an hour, and logs when it is right again',
    async (_, set) => {
      const clock = new MachineClock(0);
      const api = await oauth.desk.apiProcess({ ...clock.settings(), LOG_LEVEL: 'warn' });

      clock.set(set);
      await eventually(() => linesWith(api, 'set both by NTP').length === 1, { withinMs: 10_000 });
      expect(await acceptsTokenThatEndsIn(-300, api)).toBe(false);
      expect(await acceptsTokenThatEndsIn(300, api)).toBe(true);
      expect(await writtenInTurn([api.base, oauth.base], TEXTS)).toEqual(TEXTS);

      clock.set({});
      await eventually(() => linesWith(api, 'right again').length === 1, { withinMs: 10_000 });
      await api.stop();
    },
  );

  it('reads the time of PostgreSQL within seconds after its machine slept', async () => {
    const clock = new MachineClock(0);
    const api = await oauth.desk.apiProcess({ ...clock.settings(), LOG_LEVEL: 'warn' });

    clock.set({ sleptMs: HOUR_MS });
    await eventually(async () => !(await acceptsTokenThatEndsIn(-300, api)), { withinMs: 4_000 });

    expect(await acceptsTokenThatEndsIn(300, api)).toBe(true);
    await api.stop();
  });
});

describe('a worker whose machine has a wrong clock', { timeout: 90_000 }, () => {
  it('works like any other when its machine is seconds off, and doctor names it', async () => {
    const { desk } = oauth;
    const receiver = await subscribedReceiver();
    const start = (aheadMs: number) => desk.worker(new MachineClock(aheadMs).settings());
    const workers = [await start(6_000), await start(-6_000)];
    const pids = workers.map(({ pid }) => pid);
    const known = 'select from worker_heartbeats where abs(skew_ms) > 2000 and pid = any($1)';
    await eventually(async () => (await desk.sql.query(known, [pids])).rowCount === 2, { withinMs: 30_000 });

    await recordEvents(desk, 200);
    await receiver.received(200, { withinMs: 40_000 });

    const found = await clocksInDoctor();
    for (const pid of pids)
      expect(found).toContainEqual(
        expect.stringMatching(new RegExp(`^red .*\\(worker ${pid}\\) differs .* by \\d{4} ms`)),
      );
    await Promise.all(workers.map((worker) => worker.stop()));
    expect(arrivals([receiver])).toEqual({ events: 200, duplicates: 0 });
  });

  it('takes no work when it is ten minutes off, and returns 503 to readiness checks until its clock is right', async () => {
    const receiver = await subscribedReceiver();
    const clock = new MachineClock(TEN_MINUTES_MS);
    const port = `${await freePort()}`;
    const worker = await oauth.desk.worker({ ...clock.settings(), LOG_LEVEL: 'warn', WORKER_PORT: port });
    const answer = (path: string) => fetch(`http://127.0.0.1:${port}/${path}`);

    await eventually(() => linesWith(worker, 'takes no work: set both by NTP').length > 0, { withinMs: 20_000 });
    await recordEvents(oauth.desk, 50);
    const checks = { database: true, clock: false, stopping: false };
    await eventually(async () => expect(await (await answer('readyz')).json()).toMatchObject({ checks }));
    const skew = await eventually(
      async () => /^deskwire_clock_skew_seconds\S* (\S+)/m.exec(await (await answer('metrics')).text())?.[1],
    );
    expect((await answer('readyz')).status).toBe(503);
    expect(Number(skew)).toBeCloseTo(600, 0);
    expect(receiver.requests).toEqual([]);

    clock.set({});
    await receiver.received(50, { withinMs: 40_000 });
    expect((await answer('readyz')).status).toBe(200);
    expect(arrivals([receiver]).duplicates).toBe(0);
    expect(linesWith(worker, 'takes no work')).toHaveLength(1);
    expect(linesWith(worker, 'right again')).toHaveLength(1);
    await worker.stop();
  });
});

async function subscribedReceiver(afterMs = 0): Promise<Receiver> {
  const receiver = await oauth.desk.receiver({ replies: [{ status: 204, afterMs }] });
  await oauth.desk.webhook('customer_added', receiver.url);
  return receiver;
}
