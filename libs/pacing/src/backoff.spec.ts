import { expect, it } from 'vitest';
import { backoffMs } from './backoff.js';

const BACKOFF = { firstMs: 1_000, maxMs: 900_000 };

it.each([
  [1, 1_000],
  [2, 2_000],
  [10, 512_000],
  [11, 900_000],
  [100_000, 900_000],
])('waits after failure %i for %i ms', (failures, expected) => {
  expect(backoffMs(failures, BACKOFF)).toBe(expected);
});
