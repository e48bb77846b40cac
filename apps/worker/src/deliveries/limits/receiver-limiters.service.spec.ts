import { definedStatements } from '#libs/database';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveWorkersService } from '../../live-workers.service.js';
import { type Permit, type Refusal, ReceiverLimitersService } from './receiver-limiters.service.js';
import { RECEIVER_SLOW_FOR_MS, type RequestEnd } from './request-limiter.js';

const SETTINGS = { WORKER_CONCURRENCY: 400, WEBHOOK_HOST_CONCURRENCY: 1_000, WEBHOOK_HOST_PER_SECOND: 200 };

let limiters: ReceiverLimitersService;
let workers: LiveWorkersService;
let slow: string[];
let permits: { readonly webhookId: string; readonly accountId: string; readonly end: Permit['end'] }[];
let refusals: Refusal[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  workers = new LiveWorkersService();
  [slow, permits, refusals] = [[], [], []];
  limiters = newLimiters({});
});
afterEach(() => void vi.useRealTimers());

const newLimiters = (settings: Partial<typeof SETTINGS>) =>
  new ReceiverLimitersService({ ...SETTINGS, ...settings }, { mark: (id) => void slow.push(id) }, workers);

interface Asked {
  readonly accountId?: string;
  readonly webhookId?: (place: number) => string;
  readonly url?: string;
}

const of = (webhookId: string) => () => webhookId;

/** One webhook for each delivery, unless named. */
async function ask(
  count: number,
  { accountId = 'one', webhookId = (place) => `${accountId} ${place}`, url = 'https://hooks.example/' }: Asked = {},
): Promise<void> {
  for (let place = 0; place < count; place++) {
    const wanted = { accountId, webhookId: webhookId(place), url };
    void limiters
      .acquire(wanted)
      .then((answer) =>
        answer.kind === 'permit' ? permits.push({ ...wanted, end: answer.end }) : refusals.push(answer),
      );
  }
  await settled();
}

async function endAll(how: RequestEnd): Promise<void> {
  for (const permit of permits.splice(0)) permit.end(how);
  await settled();
}

async function pass(ms: number): Promise<void> {
  for (let step = 0; step < ms / 100; step++) {
    vi.advanceTimersByTime(100);
    await settled();
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a receiver', () => {
  it('gets eight requests at once, and the next when one ends', async () => {
    await ask(20, { webhookId: of('prompt') });
    expect(permits).toHaveLength(8);

    permits[0]!.end('abandoned');
    await settled();

    expect(permits).toHaveLength(9);
  });

  it('marks a hanging receiver as slow and delays no other', async () => {
    await ask(20, { webhookId: of('hanging') });
    await pass(1_200);
    await ask(1, { webhookId: of('hanging') });
    await ask(8, { webhookId: of('other') });

    expect(slow).toEqual(['hanging']);
    expect(refusals.map(({ kind }) => kind)).toEqual(Array.from({ length: 13 }, () => 'silent'));
    expect(permits.filter(({ webhookId }) => webhookId === 'other')).toHaveLength(8);
  });

  it('gets a probe at a time after a time-out', async () => {
    await ask(8, { webhookId: of('hanging') });
    await endAll('timed_out');
    await ask(20, { webhookId: of('hanging') });

    expect(permits).toHaveLength(1);
  });

  it('marks a slow receiver again before it counts as prompt', () => {
    const texts = definedStatements().map(({ text }) => text.replaceAll(/\s+/g, ' '));
    const pauses = texts.flatMap((text) => [...text.matchAll(/slow_until[^;]{0,60}? interval '(\d+) seconds'/g)]);
    expect(pauses).toHaveLength(3);
    for (const [, seconds] of pauses) expect(Number(seconds) * 1_000).toBeLessThan(RECEIVER_SLOW_FOR_MS);
  });

  it('judges no receiver after a stall of the process', async () => {
    await ask(20, { webhookId: of('prompt') });
    const before = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(before + 5_000);
    await pass(100);

    expect(slow).toEqual([]);
  });

  it('forgets an unused receiver after a minute', async () => {
    await ask(8, { webhookId: of('hanging') });
    await endAll('timed_out');
    await pass(59_000);
    await ask(1, { webhookId: of('hanging') });
    await ask(1, { webhookId: of('hanging') });
    expect(permits).toHaveLength(1);
    await endAll('abandoned');
    await endAll('abandoned');

    await pass(60_100);
    await ask(8, { webhookId: of('hanging') });

    expect(permits).toHaveLength(8);
  });
});

describe('a host', () => {
  it('gets a second of its allowance at once before it has answered, whatever the spelling of its URL', async () => {
    for (const url of ['https://hooks.example/', 'https://HOOKS.example.:443/', 'http://hooks.example:443/'])
      await ask(99, { accountId: url, url });
    expect(permits).toHaveLength(200);

    await ask(10, { accountId: 'other', url: 'https://other.example/' });

    expect(permits).toHaveLength(210);
  });

  it('never gets more requests than all workers together may have in flight', async () => {
    workers.update({ count: 4, place: 0 });
    await ask(3_000);
    for (let round = 0; round < 8; round++) {
      vi.advanceTimersByTime(10);
      await endAll('accepted');
    }

    expect(permits).toHaveLength(250);
  });

  it('gets a single request if so configured', async () => {
    limiters = newLimiters({ WEBHOOK_HOST_CONCURRENCY: 1 });
    await ask(10);

    expect(permits).toHaveLength(1);
  });

  it('serves the accounts in turn, however much one has waiting', async () => {
    await ask(990, { accountId: 'flooding' });
    await ask(5, { accountId: 'quiet' });
    const before = permits.splice(0);
    for (const { end } of before.slice(0, 10)) end('abandoned');
    await settled();

    expect(permits.filter(({ accountId }) => accountId === 'quiet')).toHaveLength(5);
    expect(limiters.waitingForHosts).toBe(785);
  });

  it('limits a host that fails everything to its allowance, and still serves a second account', async () => {
    await ask(990, { accountId: 'flooding' });
    let requests = 0;
    for (let step = 0; step < 20; step++) {
      requests += permits.length;
      await endAll('failed');
      await pass(100);
    }

    expect(requests).toBe(200 + 19 * 20);
    expect(slow).toEqual([]);
    await ask(1, { accountId: 'quiet' });
    await pass(100);
    expect(permits.some(({ accountId }) => accountId === 'quiet')).toBe(true);
  });

  it('sends a hanging host eight requests at a time and postpones the others by half a minute', async () => {
    await ask(200);
    await pass(15_000);
    await endAll('timed_out');
    await ask(1_000, { accountId: 'later' });
    expect(permits).toHaveLength(8);
    await pass(1_200);
    await ask(1_000, { accountId: 'latest' });

    expect(refusals.at(-1)).toEqual({ kind: 'host', forMs: 30_000 });
  });

  it('slows no host because of one hanging webhook', async () => {
    await ask(8, { webhookId: of('hanging') });
    const hanging = permits.splice(0);
    await ask(100);
    await pass(100);
    await endAll('accepted');
    for (const { end } of hanging) end('timed_out');
    await ask(180, { accountId: 'two' });

    expect(permits).toHaveLength(180);
  });

  it('takes no turn of its receiver from a delivery that it refuses', async () => {
    await ask(200);
    await pass(1_200);
    await ask(20, { accountId: 'two', webhookId: of('refused') });
    await ask(8, { accountId: 'two', webhookId: of('refused'), url: 'https://moved.example/' });

    expect(permits.filter(({ webhookId }) => webhookId === 'refused')).toHaveLength(8);
  });
});

describe('close', () => {
  it('refuses waiting deliveries', async () => {
    await ask(20, { webhookId: of('busy') });
    await ask(300);
    limiters.close();
    await settled();

    expect(refusals).toHaveLength(20 + 300 - 200);
    expect(new Set(refusals.map(({ forMs }) => forMs))).toEqual(new Set([0]));
  });
});
