import { describe, expect, it } from 'vitest';
import { FairLanes } from './fair-lanes.js';

function lanesOf(...items: readonly string[]): FairLanes<string> {
  const lanes = new FairLanes<string>();
  for (const item of items) lanes.push(item[0]!, item);
  return lanes;
}

describe('FairLanes', () => {
  it('serves lanes in turn, and each lane in its order', () => {
    const lanes = lanesOf('a1', 'a2', 'a3', 'b1', 'c1', 'b2');

    expect(Array.from({ length: 7 }, () => lanes.shift())).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined]);
    expect([lanes.size, lanes.laneCount]).toEqual([0, 0]);
  });

  it('passes over items that may not be taken', () => {
    const lanes = lanesOf('a1', 'b1', 'a2', 'b2');

    expect(Array.from({ length: 3 }, () => lanes.shift((item) => item.endsWith('2')))).toEqual(['a2', 'b2', undefined]);
    expect(Array.from({ length: 3 }, () => lanes.shift())).toEqual(['a1', 'b1', undefined]);
  });

  it('has room for another lane, however many items of one wait', () => {
    const lanes = lanesOf('a1', 'a2', 'a3', 'a4');

    expect(lanes.hasRoom('a', 4)).toBe(false);
    expect(lanes.hasRoom('b', 4)).toBe(true);
    lanes.push('b', 'b1');
    lanes.push('b', 'b2');
    expect(lanes.hasRoom('b', 4)).toBe(false);
  });

  it('makes room by removing the last item of the longest lane', () => {
    const lanes = lanesOf('a1', 'a2', 'a3');

    expect([lanes.makeRoomFor('b'), lanes.makeRoomFor('a')]).toEqual(['a3', undefined]);
    expect(lanes.size).toBe(2);
  });

  it('returns all items when it is cleared', () => {
    const lanes = lanesOf('a1', 'b1', 'a2');

    expect(lanes.clear().sort()).toEqual(['a1', 'a2', 'b1']);
    expect([lanes.size, lanes.shift()]).toEqual([0, undefined]);
  });
});
