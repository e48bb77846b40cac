import { afterEach, describe, expect, it, vi } from 'vitest';
import { collectGarbage } from '#test/support/collect-garbage.js';
import { BoundedProgram, startThread } from './bounded-program.js';

const PROGRAM = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads';
    const work = {
      loop: () => { for (;;); },
      eat: () => { const all = []; for (;;) all.push(new Array(100_000).fill(all.length)); },
      throw: () => { throw new Error('a fault'); },
      secrets: () => Object.keys(process.env),
      thread: () => threadId,
      exit: () => process.exit(),
      exitLater: () => { setImmediate(() => process.exit()); return 'soon'; },
    };
    parentPort.on('message', (what) => parentPort.postMessage((work[what] ?? (() => what))()));
    parentPort.postMessage('ready');
  `)}`,
);
const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 32 };

const newThread = (timeoutMs: number) => new BoundedProgram(() => startThread(PROGRAM, MEMORY), timeoutMs);

let thread: BoundedProgram<string, unknown>;
afterEach(() => thread.stop());

describe('BoundedProgram', () => {
  it.each([
    ['takes too long', 'loop', 'timeout', 500],
    ['takes too much memory', 'eat', 'crash', 20_000],
    ['fails', 'throw', 'crash', 20_000],
    ['ends its thread', 'exit', 'crash', 20_000],
  ])('replaces a thread that %s', async (_, work, failure, timeoutMs) => {
    thread = newThread(timeoutMs);
    const first = await thread.ask('thread');

    expect(await thread.ask(work)).toEqual({ failure });
    expect(await thread.ask('thread')).not.toEqual(first);
  });

  it('keeps its deadline through a garbage collection', async () => {
    thread = newThread(1_000);
    await thread.ask('ready');
    const asked = thread.ask('loop');
    await collectGarbage();

    expect(await asked).toEqual({ failure: 'timeout' });
  }, 10_000);

  it('keeps a thread that works', async () => {
    thread = newThread(20_000);

    expect(await thread.ask('thread')).toEqual(await thread.ask('thread'));
  });

  it('gives the thread no environment', async () => {
    thread = newThread(20_000);

    expect(await thread.ask('secrets')).toEqual({ answer: [] });
  });

  it('replaces a thread that ended between two inputs', async () => {
    thread = newThread(20_000);
    const first = await thread.ask('thread');
    await thread.ask('exitLater');

    await vi.waitFor(async () => {
      const next = await thread.ask('thread');
      expect(next).toEqual({ answer: expect.any(Number) });
      expect(next).not.toEqual(first);
    });
  });

  it('reports a thread that cannot start', async () => {
    thread = new BoundedProgram(() => startThread('/nowhere.js', MEMORY), 20_000);

    expect(await thread.ask('a')).toEqual({ failure: 'start' });
    expect(await thread.ask('b')).toEqual({ failure: 'start' });
  });
});
