// @module-tag long
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isDeepStrictEqual } from 'node:util';
import { ApiClient } from '#test/support/api-client.js';
import { newEmail } from '#test/support/desk-records.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import { differencesToApi, listAll, withoutPasses } from '#test/support/mirror.js';
import { SeededChoices } from '#test/support/seeded-choices.js';
import { type PrivateServer, startServer } from '#test/support/servers.js';
import { RestartableApp } from './campaign/restartable-app.js';
import { freePort } from '../../apps/launcher/src/ports.js';
import { ChangesFollower } from '../topologies/machines/followers.js';
import { MirrorProgram } from './mirror-program.js';

/** `SDK_MIRROR=full` takes about half an hour. Each ticket is changed four times. */
const FULL = process.env['SDK_MIRROR'] === 'full';
const TICKETS = FULL ? 5000 : 60;
const KILLS = FULL ? 60 : 8;
const WRITERS = 6;
const PATIENCE = { withinMs: 120_000 };

let redis: PrivateServer;
let desk: Desk;
let api: RestartableApp;
let worker: RestartableApp;
let program: MirrorProgram;
beforeAll(async () => {
  redis = await startServer('redis', { durable: true });
  desk = await startDesk({ redisUrl: redis.url });
  const port = await freePort();
  const { environment } = desk;
  const own = { ...environment, PUBLIC_URL: `http://127.0.0.1:${port}` };
  api = new RestartableApp('api', 'api', { port, environment: own });
  worker = new RestartableApp('worker', 'worker', { port: await freePort(), environment });
  const { token } = desk.account.owner;
  program = await MirrorProgram.install({ DESKWIRE: api.base, TOKEN: token, COPY_URL: environment['DATABASE_URL']! });
  await Promise.all([api.start(), worker.start()]);
}, 240_000);
afterAll(async () => {
  await program.remove();
  await Promise.all([api.stop(), worker.stop()]);
  await desk.stop();
  await redis.stop();
});

const client = (): ApiClient => new ApiClient(api.base, desk.account.owner.token);

/** Repeats failed calls until they succeed. A repeated change makes no difference to a copy. */
const surely = (method: string, path: string, body?: unknown) =>
  eventually(async () => {
    const answer = await client().send(method, path, body);
    if (answer.status >= 500) throw new Error(answer.text);
    return answer;
  }, PATIENCE);

async function writeTicket(count: number): Promise<void> {
  const wanted = { body: `Help ${count}`, from: newEmail(), to: desk.account.mailbox.email };
  const { body } = await surely('POST', '/v1/tickets', wanted);
  const path = `/v1/tickets/${body.ticket.number}`;
  await surely('POST', `${path}/messages`, { body: 'Answer' });
  await surely('PATCH', path, { title: `Title ${count}`, priority: 'high', tags: ['copied'] });
  if (count % 10 === 0) await surely('DELETE', path);
  else await surely('PUT', `${path}/state`, { state: 'closed' });
}

const KILL = {
  api: () => api.killFor(0),
  worker: () => worker.killFor(0),
  redis: async () => {
    await redis.kill9();
    await redis.restart();
  },
  mirror: async () => {
    await program.kill9();
    program.start();
  },
};

async function differencesOfProgram(): Promise<object[]> {
  const { rows } = await desk.sql.query<{ number: number; record: object }>('select * from ticket_copies');
  const copied = new Map(rows.map(({ number, record }) => [number, withoutPasses(record)]));
  const listed = (await listAll(desk.client(), '/v1/tickets', 'tickets')).map(
    (ticket) => [ticket.number, withoutPasses(ticket)] as const,
  );
  const different = listed.filter(([number, record]) => !isDeepStrictEqual(copied.get(number), record));
  const known = new Set(listed.map(([number]) => number));
  return [...different, ...rows.filter(({ number }) => !known.has(number))];
}

function tell(figures: Readonly<Record<string, number>>): void {
  const told = Object.entries(figures).map(([name, value]) => `${value} ${name}`);
  process.stdout.write(`${expect.getState().currentTestName}: ${told.join(', ')}\n`);
}

it(
  'keeps its copy equal to the API, whichever is killed: the API, a worker, Redis or the program',
  { timeout: FULL ? 3_600_000 : 300_000 },
  async () => {
    const choices = new SeededChoices(process.env['SEED'] ?? 'mirror');
    const began = performance.now();
    program.start();
    const follower = new ChangesFollower({ bases: [api.base], token: desk.account.owner.token });
    // Its copy has begun.
    await eventually(async () => (await desk.sql.query('select from copy_cursor')).rowCount === 1, PATIENCE);
    let begun = 0;
    const writer = async (): Promise<void> => {
      while (begun < TICKETS) await writeTicket(begun++);
    };
    const writers = Promise.all(Array.from({ length: WRITERS }, writer));
    for (let kill = 0; kill < KILLS; kill++) {
      await eventually(() => begun >= (TICKETS * kill) / KILLS, { withinMs: 3_000_000 });
      await choices.pick(Object.values(KILL))();
    }
    await writers;
    const wanted = { body: 'Last', from: newEmail(), to: desk.account.mailbox.email };
    const last = (await surely('POST', '/v1/tickets', wanted)).body.ticket.number as number;
    await eventually(
      async () => (await desk.sql.query('select from ticket_copies where number = $1', [last])).rowCount === 1,
      PATIENCE,
    );
    await follower.end();
    const mirror = follower.mirror!;
    await mirror.catchUp(desk.sql);
    const seconds = Math.round((performance.now() - began) / 1000);
    const byProgram = await differencesOfProgram();
    const byFeed = await differencesToApi(mirror, desk.client());
    tell({
      tickets: TICKETS,
      writes: TICKETS * 4,
      kills: KILLS,
      seconds,
      'changes told': mirror.told,
      'records compared': mirror.records.size,
      'tickets that differ in the copy of the SDK': byProgram.length,
      'records that differ in the copy by the feed': byFeed.length,
    });

    expect(program.failure).toBe('');
    expect(byProgram).toEqual([]);
    expect(byFeed).toEqual([]);
  },
);
