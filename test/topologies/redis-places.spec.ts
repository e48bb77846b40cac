// @module-tag long
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrivals, recordEvents } from '../faults/traffic.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import type { Receiver } from '#test/support/receiver.js';
import { RedisCluster } from './support/redis-cluster.js';
import type { RedisNode } from './support/redis-node.js';
import { Sentinels } from './support/sentinels.js';

/**
 * Time from the loss of a host until its replacement continues deliveries. On an idle machine it takes 13 seconds; TCP
 * alone would take a quarter of an hour.
 */
const STALLED_AT_MOST_MS = 30_000;

interface Place {
  readonly settings: Readonly<Record<string, string>>;
  ownerOf(key: string): Promise<RedisNode>;
  /** Waits until every primary has its replicas again. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

const PLACES: readonly [string, () => Promise<Place>][] = [
  ['behind Sentinels', () => Sentinels.start()],
  ['in a Cluster', () => RedisCluster.start()],
];

describe.concurrent.each(PLACES)('a deployment with Redis %s', { timeout: 120_000 }, (_, startPlace) => {
  let place: Place;
  let desk: Desk;
  let receiver: Receiver;
  const primary = () => place.ownerOf(`{${desk.settings.QUEUE_PREFIX}}:workers`);

  beforeAll(async () => {
    place = await startPlace();
    desk = await startDesk({ settings: place.settings });
    await desk.worker();
    await desk.worker();
    receiver = await desk.receiver();
    await desk.webhook('customer_added', receiver.url);
  }, 90_000);
  afterAll(async () => {
    await desk?.stop();
    await place?.stop();
  });

  /** Commits events, and waits until each has arrived. */
  async function deliver(count: number): Promise<void> {
    const before = receiver.requests.length;
    await recordEvents(desk, count);
    await receiver.received(before + count, { withinMs: 2 * STALLED_AT_MOST_MS });
  }

  it.sequential('delivers everything once, and counts requests', async () => {
    await deliver(100);
    const answer = await desk.client().get('/v1/me');

    expect(arrivals([receiver]).duplicates).toBe(0);
    expect(answer.headers.get('ratelimit')).not.toBeNull();
  });

  it.sequential('continues deliveries after its host has vanished', async () => {
    const vanished = await primary();
    vanished.freeze();

    expect(await durationOf(() => deliver(20))).toBeLessThan(STALLED_AT_MOST_MS);
    vanished.thaw();
    await place.settled();
  });

  it.sequential('keeps the connections over which idle workers wait for jobs', async () => {
    const server = await primary();
    const agesNow = () => server.ask(async (redis) => agesOfWaiting((await redis.client('LIST')) as string));
    const areOld = async () => {
      const ages = await agesNow();
      return ages.length === WAITING && Math.min(...ages) > LONGER_THAN_TIMEOUT_SECONDS;
    };

    // After an outage, BullMQ replaces a connection once or twice.
    expect(await eventually(areOld, { withinMs: 90_000 })).toBe(true);
  });

  it.sequential('continues deliveries after it was killed', async () => {
    await (await primary()).kill9();

    expect(await durationOf(() => deliver(20))).toBeLessThan(STALLED_AT_MOST_MS);
    expect(arrivals([receiver]).duplicates).toBeLessThanOrEqual(receiver.requests.length * MAY_COME_TWICE);
  });
});

async function durationOf(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** Two workers with two queues each. */
const WAITING = 4;
const LONGER_THAN_TIMEOUT_SECONDS = 12;
const MAY_COME_TWICE = 0.02;

/** Age of their connections, in seconds. */
function agesOfWaiting(list: string): number[] {
  const waiting = list.split('\n').filter((line) => line.includes(' cmd=bzpopmin '));
  return waiting.map((line) => Number(/ age=(\d+)/.exec(line)?.[1]));
}
