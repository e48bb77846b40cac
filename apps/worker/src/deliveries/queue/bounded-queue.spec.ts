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

  it('puts one express delivery into each job', () => {
    expect(sizes('express', 3)).toEqual([1, 1, 1]);
  });

  it('keeps each delivery once, in order', () => {
    expect(groupDeliveries('bulk', due(70), until).flatMap(({ deliveries }) => deliveries)).toEqual(due(70));
    expect(groupDeliveries('bulk', [], until)).toEqual([]);
  });
});
