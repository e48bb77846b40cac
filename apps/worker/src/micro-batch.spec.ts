import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { MicroBatch, type MicroBatchOptions } from './micro-batch.js';

function batching(
  work = async (items: readonly number[]): Promise<readonly number[]> => items.map((item) => item * 10),
  options: MicroBatchOptions = {},
) {
  const batches: number[][] = [];
  const perform = (items: readonly number[]) => {
    batches.push([...items]);
    return work(items);
  };
  const batch = new MicroBatch<number, number>(perform, options);
  return { batch, batches };
}

describe('MicroBatch', () => {
  it('gives each item its own result, from one call', async () => {
    const { batch, batches } = batching();

    expect(await Promise.all([1, 2, 3].map((item) => batch.run(item)))).toEqual([10, 20, 30]);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  it('writes at most 200 items in a batch by default', async () => {
    const { batch, batches } = batching();
    await Promise.all(Array.from({ length: 450 }, (_none, item) => batch.run(item)));

    expect(batches.map(({ length }) => length)).toEqual([200, 200, 50]);
  });

  it('gathers items while a call is running', async () => {
    let finish: (() => void) | undefined;
    const { batch, batches } = batching((items) => new Promise((resolve) => (finish = () => resolve(items))));
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
    const { batch } = batching(async (items) => {
      if (items.includes(13)) throw new Error('unlucky');
      return items;
    });

    const others = [batch.run(12), batch.run(14)];
    await expect(batch.run(13)).rejects.toThrow('unlucky');
    expect(await Promise.all(others)).toEqual([12, 14]);
    expect(await batch.run(14)).toBe(14);
  });

  it('lets an item linger after a full batch', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { batch, batches } = batching(undefined, { maxItems: 2, lingerMs: 1_000 });
    const full = [batch.run(1)];
    vi.advanceTimersByTime(600);
    await Promise.all([...full, batch.run(2)]);
    const third = batch.run(3);

    vi.advanceTimersByTime(999);
    expect(batches).toEqual([[1, 2]]);
    vi.advanceTimersByTime(1);
    await third;
    expect(batches).toEqual([[1, 2], [3]]);
  });
});
