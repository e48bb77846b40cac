import { afterEach, describe, expect, it } from 'vitest';
import { PROMPT_WITHIN_MS } from './limits.js';
import { LiveWorkersService } from '../../live-workers.service.js';
import type { HostRequest } from './host-limiters.service.js';
import { ReceiverLimitersService, type Permit, type Refusal } from './receiver-limiters.service.js';

const done = () => undefined;
const started: HostRequest = { kind: 'started', end: done };

const acquireOf = (limiters: ReceiverLimitersService, webhookId: string) =>
  limiters.acquire({ webhookId, accountId: 'one', url: 'https://receiver.example/' });

function newLimiters(
  adjust: (slow: number) => void,
  mark: (webhookId: string) => void = done,
): ReceiverLimitersService {
  const hosts = { request: () => started, check: done, close: done };
  return new ReceiverLimitersService(
    { WORKER_CONCURRENCY: 400 },
    { adjust },
    { mark },
    hosts,
    new LiveWorkersService(),
  );
}

describe('ReceiverLimitersService', () => {
  const noticed: string[] = [];
  let slow = 0;
  const limiters = newLimiters(
    (count) => void (slow = count),
    (webhookId) => void noticed.push(webhookId),
  );
  const acquire = (webhookId: string) => acquireOf(limiters, webhookId);

  afterEach(() => noticed.splice(0));

  const fill = (webhookId: string): Promise<(Permit | Refusal)[]> =>
    Promise.all(Array.from({ length: 8 }, () => acquire(webhookId)));

  it('gives the next permit when a request ends', async () => {
    const [first] = await fill('prompt');
    const next = acquire('prompt');

    if (first?.kind === 'permit') first.end('accepted');

    expect((await next).kind).toBe('permit');
  });

  it('refuses only deliveries that wait for a silent receiver', async () => {
    await fill('hanging');
    const waiting = acquire('hanging');

    expect((await waiting).kind).toBe('silent');
    expect((await acquire('hanging')).kind).toBe('silent');
    expect((await acquire('another')).kind).toBe('permit');
    expect(noticed).toEqual(['hanging']);
    expect(slow).toBeGreaterThanOrEqual(8);
  });

  it('refuses waiting deliveries when it is closed', async () => {
    await fill('last');
    const waiting = acquire('last');

    limiters.close();

    expect((await waiting).kind).toBe('silent');
  });

  it('counts no request as slow after the process was stalled', async () => {
    let adjusted: (slow: number) => void = done;
    const stalled = newLimiters((count) => adjusted(count));
    await acquireOf(stalled, 'prompt');
    const seen = new Promise((resolve) => (adjusted = resolve));
    standStill(2 * PROMPT_WITHIN_MS);

    expect(await seen).toBe(0);
    stalled.close();
  });
});

function standStill(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
