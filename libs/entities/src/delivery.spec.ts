import { describe, expect, it } from 'vitest';
import { type DeliveryProgress, type DeliveryState, standingOf } from './delivery.js';

describe('standingOf', () => {
  it.each<[DeliveryState, number, number | null, string, Partial<DeliveryProgress>?]>([
    ['pending', 0, null, 'waiting'],
    ['pending', 0, null, 'held', { isPaused: true }],
    ['pending', 1, 500, 'retrying'],
    ['pending', 1, 500, 'held', { isPaused: true }],
    ['pending', 3, null, 'retrying'],
    ['pending', 1, 200, 'delivered'],
    ['pending', 1, 299, 'delivered', { isPaused: true }],
    ['pending', 1, 199, 'retrying'],
    ['pending', 1, 300, 'retrying'],
    ['pending', 1, 200, 'retrying', { lastError: 'too_long' }],
    ['delivered', 1, 204, 'delivered', { isPaused: true }],
    ['exhausted', 10, 500, 'given_up', { isPaused: true }],
    ['delivered', 1, 204, 'delivered'],
    ['exhausted', 10, 500, 'given_up'],
    ['cancelled', 1, 410, 'given_up'],
    ['cancelled', 2, 503, 'cancelled'],
    ['cancelled', 0, null, 'cancelled'],
  ])('maps %s after %i attempts and a last status of %s to %s', (state, attempts, lastStatus, standing, others) => {
    const progress = { state, attempts, lastStatus, lastError: null, isPaused: false, ...others };
    expect(standingOf(progress)).toBe(standing);
  });
});
