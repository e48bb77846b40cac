import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BoundedProgram } from '#libs/pacing';
import { afterAll, afterEach, expect, it } from 'vitest';
import { startChildProgram } from './child-program.js';

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
   process.on('message', ({ what }) => process.send((work[what] ?? (() => what))()));
   process.send('ready');`,
);
afterAll(() => rmSync(folder, { recursive: true }));

const newChild = (program: string, timeoutMs: number) =>
  new BoundedProgram<{ what: string }, unknown>(() => startChildProgram(program, 64), timeoutMs);

let child: ReturnType<typeof newChild>;
afterEach(() => child.stop());

it.each([
  ['loop', 'timeout', 1_000],
  ['eat', 'crash', 20_000],
  ['exit', 'crash', 20_000],
])(
  'replaces a process that does %s, and keeps running',
  async (work, failure, timeoutMs) => {
    child = newChild(PROGRAM, timeoutMs);
    const first = await child.ask({ what: 'pid' });

    expect(await child.ask({ what: work })).toEqual({ failure });
    const next = await child.ask({ what: 'pid' });
    expect(next).toEqual({ answer: expect.any(Number) });
    expect(next).not.toEqual(first);
  },
  60_000,
);

it('reports that a process did not start', async () => {
  child = newChild('/nowhere.js', 1_000);

  expect(await child.ask({ what: 'a' })).toEqual({ failure: 'start' });
});
