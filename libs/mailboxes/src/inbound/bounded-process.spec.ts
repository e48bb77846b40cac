import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { BoundedProcess } from './bounded-process.js';

const folder = mkdtempSync(path.join(tmpdir(), 'deskwire-process-'));
const PROGRAM = path.join(folder, 'program.mjs');
writeFileSync(
  PROGRAM,
  `const work = {
     loop: () => { for (;;); },
     eat: () => { const all = []; for (;;) all.push(new Array(100_000).fill(all.length)); },
     pid: () => process.pid,
     exit: () => process.exit(3),
   };
   process.on('message', (what) => process.send((work[what] ?? (() => what))()));
   process.send('ready');`,
);
afterAll(() => rmSync(folder, { recursive: true }));

let child: BoundedProcess<string, unknown>;
afterEach(() => child.stop());

it.each([
  ['loop', 'timeout', 1_000],
  ['eat', 'crash', 20_000],
  ['exit', 'crash', 20_000],
])(
  'replaces a process that does %s, and keeps running',
  async (work, failure, timeoutMs) => {
    child = new BoundedProcess(PROGRAM, { timeoutMs, heapMb: 64 });
    const first = await child.ask('pid');

    expect(await child.ask(work)).toEqual({ failure });
    const next = await child.ask('pid');
    expect(next).toEqual({ answer: expect.any(Number) });
    expect(next).not.toEqual(first);
  },
  60_000,
);

it('reports that a process did not start', async () => {
  child = new BoundedProcess('/nowhere.js', { timeoutMs: 1_000, heapMb: 64 });

  expect(await child.ask('a')).toEqual({ failure: 'start' });
});
