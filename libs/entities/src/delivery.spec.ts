import { describe, expect, it } from 'vitest';
import { type DeliveryState, standingOf } from './delivery.js';

describe('standingOf', () => {
  it.each<[DeliveryState, number, number | null, string]>([
    ['pending', 0, null, 'waiting'],
    ['pending', 1, 500, 'retrying'],
    ['pending', 3, null, 'retrying'],
    ['delivered', 1, 204, 'delivered'],
    ['exhausted', 10, 500, 'given_up'],
    ['cancelled', 1, 410, 'given_up'],
    ['cancelled', 2, 503, 'cancelled'],
    ['cancelled', 0, null, 'cancelled'],
  ])('maps %s after %i attempts and a last status of %s to %s', (state, attempts, lastStatus, standing) => {
    expect(standingOf({ state, attempts, lastStatus })).toBe(standing);
  });
});
