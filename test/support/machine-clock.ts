import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DIST } from './app-process.js';

const PROGRAM = new URL('test/support/shifted-clock.js', DIST).href;

/** Changes the clocks of a process, as on a machine of its own. */
export class MachineClock {
  private readonly file = path.join(mkdtempSync(path.join(tmpdir(), 'machine-')), 'clock');

  constructor(aheadMs = 0) {
    this.set({ aheadMs });
  }

  /** The environment of the process, whose own options of Node.js stay. */
  settings({ NODE_OPTIONS = '' }: NodeJS.ProcessEnv = {}): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `${NODE_OPTIONS} --import=${PROGRAM}`, SHIFTED_CLOCK_FILE: this.file };
  }

  set({ aheadMs = 0, sleptMs = 0 }): void {
    writeFileSync(this.file, `${aheadMs} ${sleptMs}`);
  }
}
