// @module-tag long
import fs from 'node:fs/promises';
import path from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import { runCli } from '../cli/run.js';
import { ready } from '#test/support/app-process.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import type { Receiver } from '#test/support/receiver.js';
import { type PrivateServer, startServer } from '#test/support/servers.js';
import { arrivals, recordEvents } from './traffic.js';

const DUE = 400;
const NEW = 5;
const OBSERVED_MS = 5_000;
const MAX_UPDATES_PER_SECOND = 200;

interface Refusal {
  readonly error: RegExp;
  readonly begin: (redis: Redis) => Promise<unknown>;
  readonly repair: (redis: Redis) => Promise<unknown>;
}

let primary: PrivateServer;

const REFUSALS: Readonly<Record<string, Refusal>> = {
  'has no memory left': {
    error: /OOM/,
    begin: (redis) => redis.config('SET', 'maxmemory', '1'),
    repair: (redis) => redis.config('SET', 'maxmemory', '1gb'),
  },
  'cannot save its snapshot': {
    error: /MISCONF/,
    begin: async (redis) => {
      await redis.config('SET', 'save', '3600 1000000');
      // A snapshot cannot replace a folder, not even for root.
      await fs.mkdir(await snapshotOf(redis), { recursive: true });
      await redis.bgsave();
    },
    repair: async (redis) => {
      await fs.rmdir(await snapshotOf(redis));
      await redis.bgsave();
    },
  },
  'is a replica': {
    error: /READONLY/,
    begin: async (redis) => {
      const other = new Redis(primary.url);
      // The new primary has all keys, as after a failover.
      await follow(other, redis);
      await other.replicaof('NO', 'ONE');
      await follow(redis, other);
      other.disconnect();
    },
    repair: (redis) => redis.replicaof('NO', 'ONE'),
  },
};

async function follow(replica: Redis, { options }: Redis): Promise<void> {
  await replica.config('SET', 'masterauth', options.password ?? '');
  await replica.replicaof(options.host ?? '', options.port ?? 0);
  await eventually(async () => (await replica.info('replication')).includes('master_link_status:up'));
}

async function snapshotOf(redis: Redis): Promise<string> {
  const [, folder = ''] = (await redis.config('GET', 'dir')) as string[];
  const [, file = ''] = (await redis.config('GET', 'dbfilename')) as string[];
  return path.join(folder, file);
}

beforeAll(async () => {
  primary = await startServer('redis');
});
afterAll(() => primary.stop());

describe.each(Object.entries(REFUSALS))('a worker whose Redis refuses writes because it %s', (_, refusal) => {
  let desk: Desk;
  let receiver: Receiver;
  let seen: Awaited<ReturnType<typeof observe>>;
  const close: (() => unknown)[] = [];

  beforeAll(async () => {
    const redis = await startServer('redis');
    const client = new Redis(redis.url).on('error', () => undefined);
    desk = await startDesk({ queue: 'redis', redisUrl: redis.url });
    close.push(
      () => desk.stop(),
      () => client.disconnect(),
      () => redis.stop(),
    );
    receiver = await desk.receiver();
    await desk.webhook('customer_added', receiver.url);
    const port = `${await freePort()}`;
    const worker = await desk.worker({ LOG_LEVEL: 'info', WORKER_PORT: port });
    await ready(`http://127.0.0.1:${port}`);
    await recordEvents(desk, 1);
    await receiver.received(1);
    await eventually(async () => (await client.exists(`{${desk.settings.QUEUE_PREFIX}}:workers`)) === 1);
    const output = () => worker.output();
    seen = await observe({ desk, client, output, readiness: `http://127.0.0.1:${port}/readyz` }, refusal);
  }, 90_000);
  afterAll(async () => {
    for (const end of close) await end();
  });

  it('updates few owed deliveries meanwhile, and logs one line in five seconds', () => {
    expect(seen.updatesPerSecond).toBeLessThanOrEqual(MAX_UPDATES_PER_SECOND);
    expect(seen.lines).toHaveLength(1);
  });

  it('returns 503 to readiness checks and makes doctor red, with the reason', () => {
    const red = seen.doctor.out.split('\n').filter((line) => /^\W*red\b/i.test(line));

    expect(seen.readiness).toMatchObject({ status: 503, body: { checks: { queue: false } } });
    expect(seen.doctor.code).toBe(1);
    expect(red.join('\n')).toMatch(refusal.error);
  });

  it('leaves later events of an API to the relay', () => {
    expect(seen.expressEvents).toBeLessThan(NEW);
  });

  it('sends everything once when Redis accepts writes again', { timeout: 60_000 }, async () => {
    await receiver.received(1 + DUE + NEW, { withinMs: 40_000 });
    await eventually(async () => (await desk.sql.query(STILL_OWED)).rowCount === 0, { withinMs: 15_000 });
    await recordEvents(desk, 1);
    await receiver.received(1 + DUE + NEW + 1);

    expect(arrivals([receiver])).toEqual({ events: 1 + DUE + NEW + 1, duplicates: 0 });
  });
});

const STILL_OWED = 'select event_id from owed_deliveries union all select event_id from outbox';

interface Running {
  readonly desk: Desk;
  readonly client: Redis;
  readonly output: () => string;
  readonly readiness: string;
}

/** Lets Redis refuse writes for a while, and then repairs it. */
async function observe({ desk, client, output, readiness: url }: Running, { error, begin, repair }: Refusal) {
  await begin(client);
  await eventually(() => refusesWrites(client, error));
  const before = await updates(desk);
  const begun = performance.now();
  await desk.sql.query(OWE_DUE, [desk.account.id, DUE]);
  await recordEvents(desk, NEW - 1, 1);

  const elapsedMs = await eventually(() => performance.now() - begun > OBSERVED_MS && performance.now() - begun);
  const updatesPerSecond = ((await updates(desk)) - before) / (elapsedMs / 1_000);
  // By now the API knows that Redis refuses.
  await recordEvents(desk, 1);
  const answer = await fetch(url);
  const readiness = { status: answer.status, body: (await answer.json()) as unknown };
  const doctor = await runCli(['doctor'], desk.environment);
  const expressEvents = (await desk.sql.query('select from outbox where express')).rowCount!;
  const lines = output()
    .split('\n')
    .filter((line) => /"level":"(?:warn|error)"/.test(line));
  await repair(client);
  return { updatesPerSecond, expressEvents, lines, readiness, doctor };
}

async function refusesWrites(redis: Redis, error: RegExp): Promise<boolean> {
  const reason: unknown = await redis.set('probe', 'x').catch((refused: unknown) => refused);
  return reason instanceof Error && error.test(reason.message);
}

async function updates(desk: Desk): Promise<number> {
  const { rows } = await desk.sql.query(
    "select n_tup_upd::int as updates from pg_stat_user_tables where relname = 'owed_deliveries'",
  );
  return rows[0].updates;
}

/** Deliveries of events of the account's only webhook, as after a failed attempt. */
const OWE_DUE = `
  with event as (
    insert into events (id, account_id, sequence, kind, payload, transaction_id, request_id, created_at)
    select uuid_at(now() + n * interval '1 ms'), $1, 1000000 + n, 'customer_added', '{}', 1, 'request', now() from generate_series(1, $2) n
    returning id
  ), delivery as (
    insert into deliveries (id, account_id, webhook_id, event_id, kind, state, attempts, next_attempt_at, created_at)
    select gen_random_uuid(), $1, w.id, e.id, 'customer_added', 'pending', 0, now(), now() from event e, webhooks w
    returning id, webhook_id, event_id
  )
  insert into owed_deliveries (delivery_id, account_id, webhook_id, event_id, attempts, queued, due_at)
  select id, $1, webhook_id, event_id, 0, false, now() from delivery`;
