import { describe, expect, it } from 'vitest';
import { MAX_PAGE_BYTES, fittingRecords, pageStarts } from './listing.js';

const HALF = MAX_PAGE_BYTES / 2;

describe('the byte limit of a page', () => {
  it.each([
    [[], 0],
    [[1, 2, 3], 3],
    [[HALF, HALF], 2],
    [[HALF, HALF, 1], 2],
    [[HALF, HALF + 1], 1],
    [[1, MAX_PAGE_BYTES], 1],
    [[3 * MAX_PAGE_BYTES], 1],
    [[3 * MAX_PAGE_BYTES, 0, 1], 1],
  ])('fits records of %j: the first %i', (sizes, count) => {
    expect(fittingRecords(sizes)).toBe(count);
  });

  it('starts each page where the last one ends', () => {
    expect(pageStarts([1, 1, 1, 1, 1], 2)).toEqual([0, 2, 4]);
    expect(pageStarts([HALF, HALF, HALF, 1, 1, 1], 3)).toEqual([0, 2, 5]);
    expect(pageStarts([], 3)).toEqual([]);
  });
});
