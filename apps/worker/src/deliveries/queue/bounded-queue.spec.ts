import { describe, expect, it } from 'vitest';
import { groupDeliveries } from './bounded-queue.js';

const until = new Date(0);
const due = (count: number) =>
  Array.from({ length: count }, (_none, number) => ({ deliveryId: `d${number}`, eventId: 'e', attempts: 0 }));
const sizes = (lane: 'express' | 'bulk', count: number) =>
  groupDeliveries(lane, due(count), until).map(({ deliveries }) => deliveries.length);

describe('groupDeliveries', () => {
  it('puts fifty bulk deliveries into each job', () => {
    expect(sizes('bulk', 105)).toEqual([50, 50, 5]);
  });

  it('puts one express delivery into each job while there are few, and more when there are many', () => {
    expect(sizes('express', 8)).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
    expect(sizes('express', 20)).toEqual([3, 3, 3, 3, 3, 3, 2]);
    expect(sizes('express', 800)).toHaveLength(16);
  });

  it('keeps each delivery once, in order', () => {
    expect(groupDeliveries('bulk', due(70), until).flatMap(({ deliveries }) => deliveries)).toEqual(due(70));
    expect(groupDeliveries('bulk', [], until)).toEqual([]);
  });
});
