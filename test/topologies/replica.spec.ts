import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.js';
import type { AppProcess } from '../support/app-process.js';
import { runCli } from '../cli/run.js';
import { type Desk, startDesk } from '../support/desk.js';
import { newEmail } from '../support/desk-records.js';
import { eventually } from '../support/eventually.js';
import { seedAgent } from '../support/seed.js';
import { SeededChoices } from '../support/seeded-choices.js';
import { type PrivateServer, startServer } from '../support/servers.js';
import { Standby } from './support/standby.js';

/** Nothing is too old, but where a test says so. */
const ANY_AGE = '600000';
const SEED = '4711';
const STEPS = 150;

let server: PrivateServer;
let standby: Standby;
let desk: Desk;
let other: AppProcess;
/** Each asks one of two processes. */
let writer: ApiClient;
let writerElsewhere: ApiClient;
let colleague: ApiClient;
let colleagueToken: string;

beforeAll(async () => {
  server = await startServer('postgres');
  standby = await Standby.of(server.url);
  desk = await startDesk({
    databaseServer: server.url,
    replica: standby,
    settings: { DATABASE_REPLICA_MAX_LAG_MS: ANY_AGE },
  });
  other = await desk.apiProcess();
  colleagueToken = (await seedAgent(desk.sql, desk.account.id, { role: 'admin' })).token;
  writer = desk.client();
  writerElsewhere = new ApiClient(other.base, desk.account.owner.token, desk.contract);
  colleague = desk.client(colleagueToken);
  await readsReplica(colleague);
}, 60_000);
afterEach(() => standby.resumeReplay());
afterAll(async () => {
  await desk.stop();
  await standby.stop();
  await server.stop();
});

async function addCustomer(client: ApiClient): Promise<string> {
  const email = newEmail();
  const { status, text } = await client.post('/v1/customers', { email });
  if (status !== 201) throw new Error(text);
  return email;
}

/** The newest customers. */
async function customersOf(client: ApiClient): Promise<string[]> {
  const { status, body, text } = await client.get('/v1/customers?per_page=100');
  if (status !== 200) throw new Error(text);
  return (body.customers as { email: string }[]).map(({ email }) => email);
}

/** How many reads of this API have had this outcome. */
async function readsWith(outcome: string, base = desk.base): Promise<number> {
  const metrics = await (await fetch(`${base}/metrics`)).text();
  return Number(
    new RegExp(`^deskwire_replica_reads_total{outcome="${outcome}"\\S* (\\d+)`, 'm').exec(metrics)?.[1] ?? 0,
  );
}

async function readsReplica(client: ApiClient): Promise<void> {
  await eventually(async () => {
    const before = await readsWith('replica', client.base);
    await customersOf(client);
    return (await readsWith('replica', client.base)) > before;
  });
}

describe('a replica that stands still', () => {
  it('is what others read, and whoever has written sees it at once, whichever process they ask', async () => {
    await standby.pauseReplay();

    const email = await addCustomer(writer);

    expect(await customersOf(writer)).toContain(email);
    expect(await customersOf(writerElsewhere)).toContain(email);
    expect(await customersOf(colleague)).not.toContain(email);
    await standby.resumeReplay();
    await eventually(async () => (await customersOf(colleague)).includes(email));
  });

  it('keeps nothing from those who follow changes', async () => {
    await standby.pauseReplay();

    const email = await addCustomer(writer);
    const { body } = await colleague.get('/v1/customers?updated_since=2020-01-01T00:00:00Z&per_page=100');

    expect((body.customers as { email: string }[]).map((one) => one.email)).toContain(email);
  });

  it('is not read once it is further behind than it may be, and doctor and metrics say so', async () => {
    const strict = await desk.apiProcess({ DATABASE_REPLICA_MAX_LAG_MS: '2000' });
    const asking = new ApiClient(strict.base, colleagueToken, desk.contract);
    await readsReplica(asking);
    await standby.pauseReplay();
    const email = await addCustomer(writer);

    // On a busy machine a read may have gone to the primary before, because the replica was slow to answer.
    await eventually(
      async () => (await customersOf(asking)).includes(email) && (await readsWith('behind', strict.base)) > 0,
    );

    const { out } = await runCli(['doctor'], { ...desk.environment, DATABASE_REPLICA_MAX_LAG_MS: '2000' });
    expect(out).toMatch(/^amber +replica +is behind by \d+ bytes/m);
    const metrics = await (await fetch(`${strict.base}/metrics`)).text();
    expect(Number(/^deskwire_replica_lag_seconds\S* (\S+)/m.exec(metrics)?.[1])).toBeGreaterThan(1);
    await strict.stop();
  });
});

it('whoever writes and lists, by two processes, in any order, never misses what they wrote', async () => {
  const choices = new SeededChoices(SEED);
  const people = [desk.account.owner.token, colleagueToken].map((token) => ({ token, wrote: [] as string[] }));
  const before = await readsWith('replica');
  const missed: number[] = [];
  for (let step = 0; step < STEPS; step++) {
    const { token, wrote } = choices.pick(people);
    const client = new ApiClient(choices.pick([desk.base, other.base]), token, desk.contract);
    const list = async (): Promise<void> => {
      const listed = new Set(await customersOf(client));
      if (!wrote.slice(-1).every((email) => listed.has(email))) missed.push(step);
    };
    const write = async (): Promise<void> => void wrote.push(await addCustomer(client));
    await choices.pick([write, list, list, () => standby.pauseReplay(), () => standby.resumeReplay()])();
  }
  expect(missed).toEqual([]);
  expect(await readsWith('replica')).toBeGreaterThan(before);
});

describe('a replica that fails', () => {
  it('while it is asked is made up for by the primary', async () => {
    const failed = await readsWith('failed');

    for (let round = 0; round < 10; round++) {
      await readsReplica(colleague);
      await Promise.all([standby.endConnections(), ...Array.from({ length: 5 }, () => customersOf(colleague))]);
    }

    expect(await readsWith('failed')).toBeGreaterThan(failed);
  });

  it('without a word costs seconds once, and nothing after them', { timeout: 20_000 }, async () => {
    await readsReplica(colleague);
    standby.freeze();
    try {
      const begun = performance.now();
      await customersOf(colleague);
      expect(performance.now() - begun).toBeLessThan(5_000);
      const after = performance.now();
      await customersOf(colleague);
      expect(performance.now() - after).toBeLessThan(1_000);
    } finally {
      standby.thaw();
    }
    await readsReplica(colleague);
  });

  it('for good is missed by nobody, and read again when it is back', { timeout: 20_000 }, async () => {
    await standby.kill();

    const email = await addCustomer(writer);
    expect(await customersOf(colleague)).toContain(email);
    const { out } = await runCli(['doctor'], desk.environment);
    expect(out).toMatch(/^red +replica +cannot be reached, so the primary is read: ECONNREFUSED/m);

    await standby.restart();
    await readsReplica(colleague);
    expect((await runCli(['doctor'], desk.environment)).out).toMatch(/^green +replica /m);
  });
});

it('a replica that becomes the primary is read and written on', { timeout: 30_000 }, async () => {
  const { DATABASE_URL } = desk.settings;
  const hosts = `${new URL(DATABASE_URL).host},127.0.0.1:${standby.port}`;
  const both = `${DATABASE_URL.replace(new URL(DATABASE_URL).host, hosts)}?target_session_attrs=read-write`;
  const api = await desk.apiProcess({ DATABASE_URL: both });
  const asking = new ApiClient(api.base, desk.account.owner.token, desk.contract);
  await readsReplica(asking);
  const before = await addCustomer(asking);
  await standby.caughtUp();

  await server.kill9();
  await standby.promote();

  const after = await eventually(() => addCustomer(asking));
  const listed = await customersOf(asking);
  expect(listed).toContain(before);
  expect(listed).toContain(after);
  await readsReplica(asking);
  await server.restart();
});
