import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.js';

function queueOf(...items: readonly string[]): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const item of items) queue.push(item[0]!, item);
  return queue;
}

describe('the fair queue', () => {
  it('serves accounts by turns, and each in its order', () => {
    const queue = queueOf('a1', 'a2', 'a3', 'b1', 'c1', 'b2');

    expect(Array.from({ length: 7 }, () => queue.shift())).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined]);
    expect(queue.size).toBe(0);
  });

  it('has room for another account, however many of one wait', () => {
    const queue = queueOf('a1', 'a2', 'a3', 'a4');

    expect(queue.hasRoom('a', 4)).toBe(false);
    expect(queue.hasRoom('b', 4)).toBe(true);
    queue.push('b', 'b1');
    queue.push('b', 'b2');
    expect(queue.hasRoom('b', 4)).toBe(false);
  });

  it('gives all of them back', () => {
    const queue = queueOf('a1', 'b1', 'a2');

    expect(queue.clear().sort()).toEqual(['a1', 'a2', 'b1']);
    expect([queue.size, queue.shift()]).toEqual([0, undefined]);
  });
});
