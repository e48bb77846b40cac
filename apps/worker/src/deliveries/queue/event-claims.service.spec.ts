import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventClaimsService } from './event-claims.service.js';

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

const database = { system: () => ({ rows: () => Promise.resolve([delivery]) }) };

async function claimedOne(): Promise<EventClaimsService> {
  const claims = new EventClaimsService(database as never);
  await claims.claim({ leasedUntil, limits: {} } as never);
  return claims;
}

describe('EventClaimsService', () => {
  // A virtual clock, so that nothing waits.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('returns a row once, so that a redelivered job checks whether the delivery is still owed', async () => {
    const claims = await claimedOne();

    expect(claims.takeAttempt({ deliveryId: 'd1', leasedUntil })).toEqual(delivery);
    expect(claims.takeAttempt({ deliveryId: 'd1', leasedUntil })).toBeUndefined();
  });

  it('returns nothing for a job of another lease', async () => {
    const claims = await claimedOne();

    const later = new Date(leasedUntil.getTime() + 1);
    expect(claims.takeAttempt({ deliveryId: 'd1', leasedUntil: later })).toBeUndefined();
  });

  it('returns nothing once the webhook may have changed', async () => {
    const claims = await claimedOne();
    vi.advanceTimersByTime(150);

    expect(claims.takeAttempt({ deliveryId: 'd1', leasedUntil })).toBeUndefined();
  });
});
