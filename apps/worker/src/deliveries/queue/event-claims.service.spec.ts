import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ClaimedAttemptCache } from './event-claims.service.js';

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

describe('ClaimedAttemptCache', () => {
  // A virtual clock, so that nothing waits.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('returns a row once, so that a redelivered job checks whether the delivery is still owed', () => {
    const claimed = new ClaimedAttemptCache();
    claimed.add([delivery], leasedUntil);

    expect(claimed.take({ deliveryId: 'd1', leasedUntil })).toEqual(delivery);
    expect(claimed.take({ deliveryId: 'd1', leasedUntil })).toBeUndefined();
  });

  it('returns nothing for a job of another lease', () => {
    const claimed = new ClaimedAttemptCache();
    claimed.add([delivery], leasedUntil);

    const later = new Date(leasedUntil.getTime() + 1);
    expect(claimed.take({ deliveryId: 'd1', leasedUntil: later })).toBeUndefined();
  });

  it('returns nothing once the webhook may have changed', () => {
    const claimed = new ClaimedAttemptCache();
    claimed.add([delivery], leasedUntil);
    vi.advanceTimersByTime(150);

    expect(claimed.take({ deliveryId: 'd1', leasedUntil })).toBeUndefined();
  });
});
