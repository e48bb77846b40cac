import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LimitedRequests, of } from '#test/support/limited-requests.js';
import { settled } from '#test/support/requests.js';

let limited: LimitedRequests;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  limited = new LimitedRequests();
});
afterEach(() => void vi.useRealTimers());

describe('a host', () => {
  it('gets a second of its allowance at once before it has answered, whatever the spelling of its URL', async () => {
    for (const url of ['https://hooks.example/', 'https://HOOKS.example.:443/', 'http://hooks.example:443/'])
      await limited.ask(99, { accountId: url, url });
    expect(limited.permits).toHaveLength(200);

    await limited.ask(10, { accountId: 'other', url: 'https://other.example/' });

    expect(limited.permits).toHaveLength(210);
  });

  it('never gets more requests than all workers together may have in flight', async () => {
    limited.workers.update({ count: 4, place: 0 });
    await limited.ask(3_000);
    for (let round = 0; round < 8; round++) {
      vi.advanceTimersByTime(10);
      await limited.endAll('accepted');
    }

    expect(limited.permits).toHaveLength(250);
  });

  it('gets a single request if so configured', async () => {
    limited = new LimitedRequests({ WEBHOOK_HOST_CONCURRENCY: 1 });
    await limited.ask(10);

    expect(limited.permits).toHaveLength(1);
  });

  it('serves the accounts in turn, however much one has waiting', async () => {
    await limited.ask(990, { accountId: 'flooding' });
    await limited.ask(5, { accountId: 'quiet' });
    const before = limited.permits.splice(0);
    for (const { end } of before.slice(0, 10)) end('abandoned');
    await settled();

    expect(limited.permits.filter(({ accountId }) => accountId === 'quiet')).toHaveLength(5);
    expect(limited.limiters.waitingForHosts).toBe(785);
  });

  it('limits a host that fails everything to its allowance, and still serves a second account', async () => {
    await limited.ask(990, { accountId: 'flooding' });
    let requests = 0;
    for (let step = 0; step < 20; step++) {
      requests += limited.permits.length;
      await limited.endAll('failed');
      await limited.pass(100);
    }

    expect(requests).toBe(200 + 19 * 20);
    expect(limited.slow).toEqual([]);
    await limited.ask(1, { accountId: 'quiet' });
    await limited.pass(100);
    expect(limited.permits.some(({ accountId }) => accountId === 'quiet')).toBe(true);
  });

  it('delays no receiver that accepts because of one that fails, in any account', async () => {
    for (const accountId of ['one', 'two']) {
      await limited.ask(20, { accountId });
      await limited.endAll('accepted');
    }
    for (let round = 0; round < 25; round++) {
      await limited.ask(8, { accountId: 'one', webhookId: of('failing') });
      await limited.endAll('failed');
    }
    await limited.ask(8, { accountId: 'one', webhookId: of('failing') });
    expect(limited.permits).toEqual([]);

    for (const accountId of ['one', 'two']) await limited.ask(20, { accountId });

    expect(limited.permits).toHaveLength(40);
    expect(limited.limiters.waitingForHosts).toBe(8);
  });

  it('starts waiting requests of receivers that accept while others wait for its allowance', async () => {
    limited = new LimitedRequests({ WEBHOOK_HOST_CONCURRENCY: 10, WEBHOOK_HOST_PER_SECOND: 10 });
    await limited.ask(10, { webhookId: (place) => `good ${place}` });
    await limited.endAll('accepted');
    await limited.ask(10);
    await limited.endAll('failed');
    await limited.ask(5, { webhookId: (place) => `new ${place}` });
    await limited.ask(15, { webhookId: (place) => `good ${place % 10}` });
    expect(limited.permits).toHaveLength(10);

    await limited.endAll('accepted');

    expect(limited.permits.map(({ webhookId }) => webhookId)).toEqual([0, 1, 2, 3, 4].map((place) => `good ${place}`));
    expect(limited.limiters.waitingForHosts).toBe(5);
  });

  it('gets twice its allowance at once when it fails after it accepted everything', async () => {
    limited = new LimitedRequests({ WEBHOOK_HOST_CONCURRENCY: 200 });
    await limited.ask(600);
    for (let round = 0; round < 3; round++) await limited.endAll('accepted');
    await limited.ask(600);
    let requests = 0;
    for (let round = 0; round < 3; round++) {
      requests += limited.permits.length;
      await limited.endAll('failed');
    }
    await limited.pass(100);

    expect(requests).toBe(400);
    expect(limited.permits).toHaveLength(20);
  });

  it('sends a hanging host eight requests at a time and postpones the others by half a minute', async () => {
    await limited.ask(200);
    await limited.pass(15_000);
    await limited.endAll('timed_out');
    await limited.ask(1_000, { accountId: 'later' });
    expect(limited.permits).toHaveLength(8);
    await limited.pass(1_200);
    await limited.ask(1_000, { accountId: 'latest' });

    expect(limited.refusals.at(-1)).toEqual({ kind: 'host', forMs: 30_000 });
    expect(limited.slow).toEqual([]);
  });

  it('loses its state after a minute without requests', async () => {
    await limited.ask(200);
    await limited.pass(15_000);
    await limited.endAll('timed_out');
    await limited.pass(60_100);
    await limited.ask(100, { accountId: 'later' });

    expect(limited.permits).toHaveLength(100);
  });

  it('slows no host because of one hanging webhook', async () => {
    await limited.ask(8, { webhookId: of('hanging') });
    const hanging = limited.permits.splice(0);
    await limited.ask(100);
    await limited.pass(100);
    await limited.endAll('accepted');
    for (const { end } of hanging) end('timed_out');
    await limited.ask(180, { accountId: 'two' });

    expect(limited.permits).toHaveLength(180);
  });

  it('takes no turn of its receiver from a delivery that it refuses', async () => {
    await limited.ask(200);
    await limited.pass(1_200);
    await limited.ask(20, { accountId: 'two', webhookId: of('refused') });
    await limited.ask(8, { accountId: 'two', webhookId: of('refused'), url: 'https://moved.example/' });

    expect(limited.permits.filter(({ webhookId }) => webhookId === 'refused')).toHaveLength(8);
  });
});
