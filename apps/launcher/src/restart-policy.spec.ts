import { describe, expect, it } from 'vitest';
import { decideRestart } from './restart-policy.js';

describe('what follows when a program has ended by itself', () => {
  it.each([
    { quickFailures: 0, livedMs: 100, next: { restartInMs: 500, quickFailures: 1 } },
    { quickFailures: 1, livedMs: 100, next: { restartInMs: 1000, quickFailures: 2 } },
    { quickFailures: 3, livedMs: 29_999, next: { restartInMs: 4000, quickFailures: 4 } },
    { quickFailures: 4, livedMs: 100, next: 'give up' },
    { quickFailures: 4, livedMs: 30_000, next: { restartInMs: 500, quickFailures: 1 } },
  ])('after $quickFailures quick failures and $livedMs ms: $next', ({ quickFailures, livedMs, next }) => {
    expect(decideRestart(quickFailures, livedMs)).toEqual(next);
  });
});
