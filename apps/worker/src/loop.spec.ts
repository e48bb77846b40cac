import { describe, expect, it } from 'vitest';
import { Loop, UNTIL_WOKEN } from './loop.js';

describe('Loop', () => {
  it('runs when it is woken, never twice at once', async () => {
    let rounds = 0;
    let running = 0;
    const loop = new Loop({
      round: async () => {
        running += 1;
        await Promise.resolve();
        expect(running).toBe(1);
        running -= 1;
        rounds += 1;
        return UNTIL_WOKEN;
      },
      onError: () => undefined,
    });
    loop.start();
    await expect.poll(() => rounds).toBe(1);
    loop.wake();
    loop.wake();

    await expect.poll(() => rounds).toBe(2);
    await loop.stop();
  });

  it('keeps a wake-up that comes during a round', async () => {
    let rounds = 0;
    const loop: Loop = new Loop({
      round: async () => {
        rounds += 1;
        if (rounds === 1) loop.wake();
        return UNTIL_WOKEN;
      },
      onError: () => undefined,
    });
    loop.start();

    await expect.poll(() => rounds).toBe(2);
    await loop.stop();
  });

  it('reports an error and tries again', async () => {
    const errors: unknown[] = [];
    let rounds = 0;
    const loop = new Loop({
      round: () => {
        rounds += 1;
        return rounds === 1 ? Promise.reject(new Error('away')) : Promise.resolve(UNTIL_WOKEN);
      },
      onError: (error) => errors.push(error),
      errorPauseMs: 1,
    });
    loop.start();

    await expect.poll(() => rounds).toBe(2);
    expect(errors).toEqual([new Error('away')]);
    await loop.stop();
  });

  it('finishes its round before it stops', async () => {
    let finish: (() => void) | undefined;
    let done = false;
    const loop = new Loop({
      round: () => new Promise<number>((resolve) => (finish = () => resolve(0))).finally(() => (done = true)),
      onError: () => undefined,
    });
    loop.start();
    await expect.poll(() => finish).toBeDefined();
    const stopped = loop.stop();
    finish?.();
    await stopped;

    expect(done).toBe(true);
  });
});
