import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ClaimedDeliveryCache } from './claimed-delivery-cache.js';

const leasedUntil = new Date('2030-01-01T00:00:10Z');
const delivery = {
  deliveryId: 'd1',
  accountId: 'a1',
  eventId: 'e1',
  webhookId: 'w1',
  kind: 'agent_replied',
  url: 'https://receiver.test/',
  publiclySigned: false,
  secretIds: 's1',
  sequence: '1',
  test: false,
  payload: '{}',
  requestId: null,
  eventCreatedAt: new Date('2030-01-01T00:00:00Z'),
};

describe('what a claim brought along', () => {
  // A virtual clock, so that nothing waits.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('is used once, so that a job that comes again finds out whether it is still owed', () => {
    const brought = new ClaimedDeliveryCache();
    brought.keep([delivery], leasedUntil);

    expect(brought.take({ deliveryId: 'd1', leasedUntil })).toEqual(delivery);
    expect(brought.take({ deliveryId: 'd1', leasedUntil })).toBeUndefined();
  });

  it('is not used for a job of another lease', () => {
    const brought = new ClaimedDeliveryCache();
    brought.keep([delivery], leasedUntil);

    const later = new Date(leasedUntil.getTime() + 1);
    expect(brought.take({ deliveryId: 'd1', leasedUntil: later })).toBeUndefined();
  });

  it('is not used when a webhook may have changed since', () => {
    const brought = new ClaimedDeliveryCache();
    brought.keep([delivery], leasedUntil);
    vi.advanceTimersByTime(150);

    expect(brought.take({ deliveryId: 'd1', leasedUntil })).toBeUndefined();
  });
});
