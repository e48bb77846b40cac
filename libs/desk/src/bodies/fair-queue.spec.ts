import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.js';

describe('Jobs that wait', () => {
  it('run one at a time, and accounts take turns', async () => {
    const queue = new FairQueue({ ofAccount: 10, ofAll: 100 });
    const done: string[] = [];
    let running = 0;
    const add = (account: string, name: string) =>
      queue.run(account, async () => {
        expect(++running).toBe(1);
        await Promise.resolve();
        done.push(name);
        running--;
      });

    await Promise.all([add('a', 'a1'), add('a', 'a2'), add('a', 'a3'), add('b', 'b1'), add('b', 'b2'), add('c', 'c1')]);

    expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('are few for each account and for all', async () => {
    const queue = new FairQueue({ ofAccount: 2, ofAll: 3 });
    const add = (account: string) => queue.run(account, async () => account);

    const [running, first, second, third, other, beyond] = ['a', 'a', 'a', 'a', 'b', 'c'].map(add);

    expect(await Promise.all([running, first, second, other])).toEqual(['a', 'a', 'a', 'b']);
    expect([third, beyond]).toEqual([undefined, undefined]);
    expect(await add('a')).toBe('a');
  });

  it('fail alone', async () => {
    const queue = new FairQueue({ ofAccount: 2, ofAll: 3 });

    await expect(queue.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await queue.run('a', async () => 1)).toBe(1);
  });
});
