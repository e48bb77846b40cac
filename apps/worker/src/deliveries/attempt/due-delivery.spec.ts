import { describe, expect, it } from 'vitest';
import { obstacleTo } from './due-delivery.js';

const now = new Date('2030-01-01T12:00:00Z');
const ready = { webhookState: 'active', retryAfterUntil: null, secrets: ['whsec_1'] } as const;

describe('obstacleTo', () => {
  it('returns nothing when the webhook is active, has a secret and no time to wait for', () => {
    expect(obstacleTo(ready, now)).toBeNull();
    expect(obstacleTo({ ...ready, retryAfterUntil: now }, now)).toBeNull();
  });

  it.each(['paused', 'disabled'] as const)('postpones the delivery while its webhook is %s', (webhookState) => {
    expect(obstacleTo({ ...ready, webhookState, secrets: [] }, now)).toEqual({ reason: 'paused', forMs: 0 });
  });

  it('postpones the delivery for as long as the receiver asked', () => {
    const retryAfterUntil = new Date(now.getTime() + 1_500);
    expect(obstacleTo({ ...ready, retryAfterUntil }, now)).toEqual({ reason: 'retry_after', forMs: 1_500 });
  });

  it('postpones the delivery for a minute while no secret can be opened', () => {
    expect(obstacleTo({ ...ready, secrets: [] }, now)).toEqual({ reason: 'no_secret', forMs: 60_000 });
  });
});
