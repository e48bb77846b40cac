import { definedStatements } from '#libs/database';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LimitedRequests, of } from '#test/support/limited-requests.js';
import { settled } from '#test/support/requests.js';
import { RECEIVER_SLOW_FOR_MS } from './request-limiter.js';

let limited: LimitedRequests;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  limited = new LimitedRequests();
});
afterEach(() => void vi.useRealTimers());

describe('a receiver', () => {
  it('gets eight requests at once, and the next when one ends', async () => {
    await limited.ask(20, { webhookId: of('prompt') });
    expect(limited.permits).toHaveLength(8);

    limited.permits[0]!.end('abandoned');
    await settled();

    expect(limited.permits).toHaveLength(9);
  });

  it('marks a hanging receiver as slow and delays no other', async () => {
    await limited.ask(20, { webhookId: of('hanging') });
    await limited.pass(1_200);
    await limited.ask(1, { webhookId: of('hanging') });
    await limited.ask(8, { webhookId: of('other') });

    expect(limited.slow).toEqual(['hanging']);
    expect(limited.refusals.map(({ kind }) => kind)).toEqual(Array.from({ length: 13 }, () => 'silent'));
    expect(limited.permits.filter(({ webhookId }) => webhookId === 'other')).toHaveLength(8);
  });

  it('refuses deliveries above what a receiver answers in half a second as busy', async () => {
    await limited.ask(8, { webhookId: of('prompt') });
    vi.advanceTimersByTime(100);
    await limited.ask(200, { webhookId: of('prompt') });

    expect(limited.refusals).toHaveLength(200 - 80);
    expect(limited.refusals[0]).toEqual({ kind: 'busy', forMs: 1_000 });
    expect(new Set(limited.refusals.map(({ kind }) => kind))).toEqual(new Set(['busy']));
  });

  it('gets further requests within its limit while it is silent', async () => {
    await limited.ask(1, { webhookId: of('hanging') });
    await limited.pass(1_200);
    await limited.ask(1, { webhookId: of('hanging') });

    expect(limited.permits).toHaveLength(2);
  });

  it('passes a check that is up to two turns late', async () => {
    await limited.ask(20, { webhookId: of('hanging') });
    await limited.pass(1_000);
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 300);
    await limited.pass(100);

    expect(limited.slow).toEqual(['hanging']);
  });

  it('marks a slow receiver again before it counts as prompt', () => {
    const texts = definedStatements().map(({ text }) => text.replaceAll(/\s+/g, ' '));
    const pauses = texts.flatMap((text) => [...text.matchAll(/slow_until[^;]{0,60}? interval '(\d+) seconds'/g)]);
    expect(pauses).toHaveLength(3);
    for (const [, seconds] of pauses) expect(Number(seconds) * 1_000).toBeLessThan(RECEIVER_SLOW_FOR_MS);
  });

  it('judges no receiver after a stall of the process', async () => {
    await limited.ask(20, { webhookId: of('prompt') });
    const before = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(before + 5_000);
    await limited.pass(100);

    expect(limited.slow).toEqual([]);
  });

  it('forgets an unused receiver after a minute', async () => {
    await limited.ask(8, { webhookId: of('hanging') });
    await limited.endAll('timed_out');
    await limited.pass(59_000);
    await limited.ask(1, { webhookId: of('hanging') });
    await limited.ask(1, { webhookId: of('hanging') });
    expect(limited.permits).toHaveLength(1);
    await limited.endAll('abandoned');
    await limited.endAll('abandoned');

    await limited.pass(60_100);
    await limited.ask(8, { webhookId: of('hanging') });

    expect(limited.permits).toHaveLength(8);
  });
});

describe('close', () => {
  it('refuses waiting deliveries', async () => {
    await limited.ask(20, { webhookId: of('busy') });
    await limited.ask(300);
    limited.limiters.close();
    await settled();

    expect(limited.refusals).toHaveLength(20 + 300 - 200);
    expect(new Set(limited.refusals.map(({ forMs }) => forMs))).toEqual(new Set([0]));
  });
});
