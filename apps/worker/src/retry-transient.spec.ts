import { describe, expect, it } from 'vitest';
import { retryTransient } from './retry-transient.js';

describe('retryTransient', () => {
  it.each([
    ['a connection failed', 'ECONNREFUSED'],
    ['a statement timed out', '57014'],
  ])('tries again half a second after %s', async (_, code) => {
    const failures = [Object.assign(new Error('failed'), { code })];
    const startedAt = performance.now();
    const result = await retryTransient(async () => {
      const failure = failures.shift();
      if (failure) throw failure;
      return 'done';
    });
    const ms = performance.now() - startedAt;

    expect(result).toBe('done');
    expect(ms).toBeGreaterThan(450);
    expect(ms).toBeLessThan(3_000);
  });

  it('throws other errors at once', async () => {
    let calls = 0;
    const broken = retryTransient(() => ((calls += 1), Promise.reject(new Error('broken'))));

    await expect(broken).rejects.toThrow('broken');
    expect(calls).toBe(1);
  });
});
