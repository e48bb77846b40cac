import { expect, it } from 'vitest';
import { TransferProgress } from './transfer-deadlines.js';

const WINDOW_MS = 10_000;

it.each([
  ['nothing', [0, 0, 0], [false, true, true]],
  ['a byte now and then', [1, 2, 3], [false, true, true]],
  ['less than a thousand bytes a second', [5000, 9000, 13_000], [false, true, true]],
  ['a thousand bytes a second', [5000, 10_000, 20_000], [false, false, false]],
  ['much, and then nothing', [500_000, 1_000_000, 1_000_000], [false, false, true]],
])('detects a stalled transfer that delivers %s', (_what, moved, stalled) => {
  const progress = new TransferProgress(WINDOW_MS);
  progress.restart(0, 0);

  expect([5000, 10_000, 20_000].map((now, index) => progress.isStalled(now, moved[index]!))).toEqual(stalled);
});

it('does not count a pause before a restart', () => {
  const progress = new TransferProgress(WINDOW_MS);
  progress.restart(0, 0);
  progress.restart(9000, 0);

  expect(progress.isStalled(18_000, 0)).toBe(false);
  expect(progress.isStalled(19_000, 0)).toBe(true);
});
