import { describe, expect, it } from 'vitest';
import { Loop, UNTIL_WOKEN } from './loop.js';

const loopOf = (round: () => Promise<number>, onError: (error: unknown) => void = () => undefined): Loop =>
  new Loop({ round, onError, errorPauseMs: 1 });

describe('Loop', () => {
  it('runs when it is woken, never twice at once', async () => {
    let rounds = 0;
    let running = 0;
    const loop = loopOf(async () => {
      running += 1;
      await Promise.resolve();
      expect(running).toBe(1);
      running -= 1;
      rounds += 1;
      return UNTIL_WOKEN;
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
    const loop: Loop = loopOf(async () => {
      rounds += 1;
      if (rounds === 1) loop.wake();
      return UNTIL_WOKEN;
    });
    loop.start();

    await expect.poll(() => rounds).toBe(2);
    await loop.stop();
  });

  it('reports an error and tries again', async () => {
    const errors: unknown[] = [];
    let rounds = 0;
    const loop = loopOf(
      () => (++rounds === 1 ? Promise.reject(new Error('away')) : Promise.resolve(UNTIL_WOKEN)),
      (error) => errors.push(error),
    );
    loop.start();

    await expect.poll(() => rounds).toBe(2);
    expect(errors).toEqual([new Error('away')]);
    await loop.stop();
  });

  it('finishes its round before it stops', async () => {
    let finish: (() => void) | undefined;
    let done = false;
    const loop = loopOf(() =>
      new Promise<number>((resolve) => (finish = () => resolve(0))).finally(() => (done = true)),
    );
    loop.start();
    await expect.poll(() => finish).toBeDefined();
    const stopped = loop.stop();
    finish?.();
    await stopped;

    expect(done).toBe(true);
  });
});
