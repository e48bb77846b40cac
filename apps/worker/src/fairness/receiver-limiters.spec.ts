import { afterEach, describe, expect, it } from 'vitest';
import { Lanes, type Pass } from './lanes.js';

describe('the lanes', () => {
  const noticed: string[] = [];
  let slow = 0;
  const lanes = new Lanes(400, { slow: (count) => (slow = count), silent: (webhookId) => noticed.push(webhookId) });

  afterEach(() => noticed.splice(0));

  const fill = (webhookId: string): Promise<(Pass | null)[]> =>
    Promise.all(Array.from({ length: 8 }, () => lanes.enter(webhookId)));

  it('let the next one in when one is through', async () => {
    const [first] = await fill('prompt');
    const next = lanes.enter('prompt');

    first!.answered();

    expect(await next).not.toBeNull();
  });

  it('turn away who waits for a receiver that fell silent, and only them', async () => {
    await fill('hanging');
    const waiting = lanes.enter('hanging');

    expect(await waiting).toBeNull();
    expect(await lanes.enter('hanging')).toBeNull();
    expect(await lanes.enter('another')).not.toBeNull();
    expect(noticed).toEqual(['hanging']);
    expect(slow).toBeGreaterThanOrEqual(8);
  });

  it('turn everybody away when they close', async () => {
    await fill('last');
    const waiting = lanes.enter('last');

    lanes.close();

    expect(await waiting).toBeNull();
  });
});
