import { describe, expect, it } from 'vitest';
import { waitAtMost } from './wait-at-most.js';

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

describe('waitAtMost', () => {
  it('ends with the work, and leaves no timer', async () => {
    const before = timers();
    await waitAtMost(60_000, Promise.resolve());

    expect(timers()).toBe(before);
  });

  it('ends with the time', async () => {
    await expect(waitAtMost(1, new Promise(() => undefined))).resolves.toBeUndefined();
  });

  it('fails with the work', async () => {
    await expect(waitAtMost(60_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });
});
