import { afterEach, describe, expect, it } from 'vitest';
import { ReceiverLimiters, type Permit } from './receiver-limiters.js';

describe('the receiver limiters', () => {
  const noticed: string[] = [];
  let slow = 0;
  const limiters = new ReceiverLimiters(
    { WORKER_CONCURRENCY: 400 },
    { adjust: (count) => void (slow = count) },
    { mark: (webhookId) => void noticed.push(webhookId) },
  );

  afterEach(() => noticed.splice(0));

  const fill = (webhookId: string): Promise<(Permit | null)[]> =>
    Promise.all(Array.from({ length: 8 }, () => limiters.acquire(webhookId)));

  it('give the next permit when a request ends', async () => {
    const [first] = await fill('prompt');
    const next = limiters.acquire('prompt');

    first!.answered();

    expect(await next).not.toBeNull();
  });

  it('refuse those that wait for a silent receiver, and only those', async () => {
    await fill('hanging');
    const waiting = limiters.acquire('hanging');

    expect(await waiting).toBeNull();
    expect(await limiters.acquire('hanging')).toBeNull();
    expect(await limiters.acquire('another')).not.toBeNull();
    expect(noticed).toEqual(['hanging']);
    expect(slow).toBeGreaterThanOrEqual(8);
  });

  it('refuse everybody who waits when they close', async () => {
    await fill('last');
    const waiting = limiters.acquire('last');

    limiters.close();

    expect(await waiting).toBeNull();
  });
});
