import { afterEach, describe, expect, it } from 'vitest';
import { RenderingThread } from './rendering-thread.js';

/** A thread that does what the body says. */
const PROGRAM = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads';
    const work = {
      loop: () => { for (;;); },
      eat: () => { const all = []; for (;;) all.push(new Array(100_000).fill(all.length)); },
      throw: () => { throw new Error('a fault'); },
      secrets: () => Object.keys(process.env),
      thread: () => threadId,
    };
    parentPort.on('message', (what) => parentPort.postMessage(work[what]()));
    parentPort.postMessage('ready');
  `)}`,
);

let thread: RenderingThread;
afterEach(() => thread.stop());

const HTML = `<p>${'<b>a</b>'.repeat(900)}</p>`;

describe('A thread for large bodies', () => {
  it('renders them as they are rendered anywhere', async () => {
    thread = new RenderingThread();

    expect(await thread.render(HTML)).toEqual({ plainTextBody: 'a'.repeat(900), shownAs: 'html', safeHtml: HTML });
  });

  it.each([
    ['takes too long', 'loop', 'timeout', 500],
    ['takes too much memory', 'eat', 'crash', 20_000],
    ['fails', 'throw', 'crash', 20_000],
  ])('that %s is replaced with the next body', async (_, body, failure, timeoutMs) => {
    thread = new RenderingThread(PROGRAM, timeoutMs);
    const first = await thread.render('thread');

    expect(await thread.render(body)).toBe(failure);
    expect(await thread.render('thread')).not.toEqual(first);
  });

  it('goes on as long as nothing is wrong', async () => {
    thread = new RenderingThread(PROGRAM);

    expect(await thread.render('thread')).toEqual(await thread.render('thread'));
  });

  it('knows nothing of our settings', async () => {
    thread = new RenderingThread(PROGRAM);

    expect(await thread.render('secrets')).toEqual([]);
  });

  it('that cannot start is a failure, and no fault of who waits', async () => {
    thread = new RenderingThread('/nowhere.js');

    expect(await thread.render('a')).toBe('crash');
  });
});
