import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { DIST } from '#test/support/app-process.js';

const MAIN = fileURLToPath(new URL('libs/sdk/src/command/main.js', DIST));

/** The command `deskwire listen` in a process of its own. */
export class Listening {
  readonly ended: Promise<number | null>;
  output = '';
  private readonly child: ChildProcess;

  constructor(words: readonly string[], environment: Readonly<Record<string, string>>) {
    const { PATH = '' } = process.env;
    const env = { PATH, ...environment };
    this.child = spawn(process.execPath, [MAIN, 'listen', ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.child.stdout!, this.child.stderr!])
      stream.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.ended = once(this.child, 'close').then(([code]) => code as number | null);
  }

  end(signal: NodeJS.Signals): Promise<number | null> {
    this.child.kill(signal);
    return this.ended;
  }
}
