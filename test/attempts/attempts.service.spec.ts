import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AttemptWorker } from '#test/support/attempt-worker.js';
import { aDelivery, deferred } from '#test/support/attempts.js';
import { startLedger } from '#test/support/ledger.js';
import type { Receiver } from '#test/support/receiver.js';
import { settled } from '#test/support/requests.js';
import { type AttemptResult, STOPPING } from '../../apps/worker/src/deliveries/attempt/due-delivery.js';

const LIMIT = 8;

const ledger = await startLedger();
let receiver: Receiver;
let url: string;
let worker: AttemptWorker;
let held: ReturnType<typeof deferred<void>>;
beforeEach(async () => {
  // Time would forgive failures.
  vi.useFakeTimers({ toFake: ['performance'] });
  held = deferred();
  worker = newWorker();
  receiver = await worker.receiver();
  ({ url } = receiver);
});
afterEach(() => void vi.useRealTimers());

const newWorker = (settings: Readonly<Record<string, string>> = {}) =>
  AttemptWorker.ofTest(ledger, { WORKER_CONCURRENCY: `${LIMIT}`, WEBHOOK_HOST_PER_SECOND: `${LIMIT}`, ...settings });

const hold = () => receiver.reply({ status: 204, until: held.promise });

const attempt = (fields: Parameters<typeof aDelivery>[0] = {}): Promise<AttemptResult> =>
  worker.attempts.attempt(aDelivery({ url, ...fields }));

/** Fills the limit with requests, each for another webhook unless one is named. */
const attempts = (fields: Parameters<typeof aDelivery>[0] = {}) =>
  Promise.all(Array.from({ length: LIMIT }, (_, place) => attempt({ webhookId: `${place}`, ...fields })));

/** The number of requests that may start now, of `wanted`. */
async function room(webhookId?: string, wanted = LIMIT): Promise<number> {
  let permits = 0;
  for (let place = 0; place < wanted; place++)
    void worker.receivers
      .acquire({ accountId: 'account', webhookId: webhookId ?? `${place}`, url })
      .then(({ kind }) => (permits += kind === 'permit' ? 1 : 0));
  await settled();
  return permits;
}

describe('an attempt', () => {
  it('posts the event and returns the outcome with the next step', async () => {
    const delivery = aDelivery({ url });

    expect(await worker.attempts.attempt(delivery)).toMatchObject({
      delivery,
      request: { url, body: delivery.event.body },
      outcome: { kind: 'delivered', status: 204 },
      step: { kind: 'delivered' },
    });
    expect(await receiver.received(1)).toMatchObject([{ body: '{"number":1}' }]);
  });

  it('gets more room at its receiver after accepted requests', async () => {
    worker = newWorker({ WORKER_CONCURRENCY: `${2 * LIMIT}` });
    await attempts({ webhookId: 'webhook' });

    expect(await room('webhook', 2 * LIMIT)).toBeGreaterThan(LIMIT);
  });

  it('takes room of its host after a failed request', async () => {
    receiver.reply(500);

    expect(await attempts()).toMatchObject(
      Array.from({ length: LIMIT }, () => ({ outcome: { kind: 'answered' }, step: { kind: 'retrying' } })),
    );
    expect(await room()).toBe(0);
  });

  it('takes room of its host when it reaches nobody', async () => {
    await receiver.stop();

    expect(await attempt()).toMatchObject({ outcome: { kind: 'failed', error: 'connect' } });
    expect(await room()).toBe(LIMIT - 1);
  });

  it('leaves its receiver one request at a time after a time-out', async () => {
    worker = newWorker({ WEBHOOK_TIMEOUT_MS: '100' });
    hold();

    expect(await attempt()).toMatchObject({ outcome: { kind: 'failed', error: 'timeout' } });
    expect(await room('webhook')).toBe(1);
  });

  it('returns its room when the request cannot be signed', async () => {
    await expect(attempt({ secrets: [undefined as never] })).rejects.toThrow(TypeError);

    expect(await room('webhook')).toBe(LIMIT);
  });

  it('waits for an obstacle to end before it takes a slot', async () => {
    expect(await attempt({ webhookState: 'paused' })).toEqual({ reason: 'paused', forMs: 0 });

    expect(await room()).toBe(LIMIT);
    expect(receiver.requests).toEqual([]);
  });
});

describe('abandonAll', () => {
  it('ends open requests and waiting deliveries, and takes no room', async () => {
    hold();
    const open = attempts({ webhookId: 'webhook' });
    const waiting = attempt();
    await receiver.received(LIMIT);
    worker.attempts.abandonAll();

    expect(await open).toEqual(Array.from({ length: LIMIT }, () => STOPPING));
    expect(await waiting).toEqual({ reason: 'busy', forMs: 0 });
    expect(await room()).toBe(LIMIT);
  });
});
