import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.js';

class Full extends Error {}

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A queue whose jobs end on command of the test. */
function startQueue({ maxConcurrent = 1, maxWaiting = 10 } = {}) {
  const queue = new FairQueue({ maxConcurrent, maxWaiting, newRefusal: () => new Full() });
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const add = (lane: string, name: string) =>
    queue
      .run(lane, async () => {
        started.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
        return name;
      })
      .catch((error: unknown) => (error instanceof Full ? `${name} refused` : Promise.reject(error as Error)));
  const endAll = async () => {
    for (let end = ends.shift(); end; end = ends.shift()) {
      end();
      await settled();
    }
  };
  return { queue, add, started, endAll };
}

describe('FairQueue', () => {
  it('runs no more jobs at once than allowed', async () => {
    const { add, started, endAll } = startQueue({ maxConcurrent: 2 });
    const all = Promise.all(['1', '2', '3', '4'].map((name) => add('a', name)));
    await settled();
    expect(started).toEqual(['1', '2']);
    await endAll();

    expect(await all).toEqual(['1', '2', '3', '4']);
  });

  it('serves lanes in turn', async () => {
    const { add, started, endAll } = startQueue();
    const all = Promise.all([
      ...['a1', 'a2', 'a3', 'a4'].map((name) => add('a', name)),
      add('b', 'b1'),
      add('c', 'c1'),
      add('b', 'b2'),
    ]);
    await settled();
    await endAll();
    await all;

    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('refuses jobs without room, and takes new jobs when there is room again', async () => {
    const { queue, add, endAll } = startQueue({ maxWaiting: 2 });
    const first = Promise.all(['1', '2', '3', '4', '5'].map((name) => add('a', name)));
    await settled();
    expect(queue.counts).toEqual({ waiting: 2, refused: 2 });
    await endAll();
    expect(await first).toEqual(['1', '2', '3', '4 refused', '5 refused']);
    expect(queue.counts).toEqual({ waiting: 0, refused: 2 });

    const later = add('a', '6');
    await settled();
    await endAll();
    expect(await later).toBe('6');
  });

  it('makes room for a short lane by refusing the last job of the longest', async () => {
    const { add, endAll } = startQueue({ maxWaiting: 3 });
    const busy = Promise.all(['a1', 'a2', 'a3', 'a4'].map((name) => add('a', name)));
    const other = Promise.all(['b1', 'b2'].map((name) => add('b', name)));
    await settled();
    await endAll();

    expect([...(await busy), ...(await other)]).toEqual(['a1', 'a2', 'a3', 'a4 refused', 'b1', 'b2 refused']);
  });

  it('continues after a job that fails', async () => {
    const queue = new FairQueue({ maxConcurrent: 1, maxWaiting: 1, newRefusal: () => new Full() });
    const failed = queue.run('a', () => Promise.reject(new Error('no')));
    const next = queue.run('a', async () => 'yes');

    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });
});
