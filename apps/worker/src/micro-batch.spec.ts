import { describe, expect, it } from 'vitest';
import { MicroBatch, retryTransient } from './micro-batch.js';

function batching(
  options: {
    maxItems?: number;
    work?: (items: readonly number[]) => Promise<readonly number[]>;
  } = {},
) {
  const batches: number[][] = [];
  const batch = new MicroBatch<number, number>(
    async (items) => {
      batches.push([...items]);
      return options.work ? options.work(items) : items.map((item) => item * 10);
    },
    { maxItems: options.maxItems ?? 100 },
  );
  return { batch, batches };
}

describe('MicroBatch', () => {
  it('gives each item its own result, from one call', async () => {
    const { batch, batches } = batching();

    expect(await Promise.all([1, 2, 3].map((item) => batch.run(item)))).toEqual([10, 20, 30]);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  it('never exceeds the size of a batch', async () => {
    const { batch, batches } = batching({ maxItems: 2 });
    await Promise.all([1, 2, 3, 4, 5].map((item) => batch.run(item)));

    expect(batches).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('writes at most 200 items in a batch by default', async () => {
    const sizes: number[] = [];
    const batch = new MicroBatch<number, number>(async (items) => (sizes.push(items.length), items));
    await Promise.all(Array.from({ length: 450 }, (_none, item) => batch.run(item)));

    expect(sizes).toEqual([200, 200, 50]);
  });

  it('gathers items while a call is running', async () => {
    let finish: (() => void) | undefined;
    const { batch, batches } = batching({
      work: (items) => new Promise((resolve) => (finish = () => resolve(items))),
    });
    const first = batch.run(1);
    await expect.poll(() => batches.length).toBe(1);
    const rest = [2, 3, 4].map((item) => batch.run(item));
    finish?.();
    await first;
    await expect.poll(() => batches.length).toBe(2);
    finish?.();
    await Promise.all(rest);

    expect(batches).toEqual([[1], [2, 3, 4]]);
  });

  it('rejects only the item that fails, and goes on', async () => {
    const { batch } = batching({
      work: async (items) => {
        if (items.includes(13)) throw new Error('unlucky');
        return items;
      },
    });

    const others = [batch.run(12), batch.run(14)];
    await expect(batch.run(13)).rejects.toThrow('unlucky');
    expect(await Promise.all(others)).toEqual([12, 14]);
    expect(await batch.run(14)).toBe(14);
  });
});

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
