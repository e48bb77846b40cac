import { expect, it } from 'vitest';
import { PauseSpreader } from './receiver-limiter.js';

const OUTLOOK = { perSecond: 10, maxMs: 1_500 };

it('spreads the postponed deliveries of each key at the expected rate, up to the maximum pause', () => {
  const putOffs = new PauseSpreader();
  const pauses = Array.from({ length: 8 }, () => putOffs.pauseMs('one', OUTLOOK, 0));

  expect(pauses).toEqual([1_000, 1_100, 1_200, 1_300, 1_400, 1_500, 1_500, 1_500]);
  expect(putOffs.pauseMs('two', OUTLOOK, 0)).toBe(1_000);
});

it('shortens the pauses once a higher rate is expected', () => {
  const putOffs = new PauseSpreader();
  for (let one = 0; one < 100; one++) putOffs.pauseMs('one', { perSecond: 1, maxMs: 60_000 }, 0);

  expect(putOffs.pauseMs('one', OUTLOOK, 0)).toBe(1_500);
});
