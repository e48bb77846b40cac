import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { RegisteredProcess } from '../../apps/launcher/src/process-registry.js';
import { eventually } from '#test/support/eventually.js';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

// Variables of the surrounding test run.
const OF_THIS_RUN = /^(DATABASE_|REDIS_|DESKWIRE_|DATA_DIR$|NODE_ENV$|SECRETS_KEY$|CI$)/;

export interface LaunchOptions {
  folder: string;
  environment?: Record<string, string>;
  account?: { uid: number; gid: number };
}

/** A launcher in a separate process, as a user starts it. */
export class Launched {
  output = '';
  readonly ended: Promise<number | null>;

  private constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.ended = once(child, 'close').then(([code]) => code as number | null);
  }

  static start(words: string[], { folder, environment = {}, account }: LaunchOptions): Launched {
    const main = pathToFileURL(path.join(ROOT, 'dist/apps/launcher/src/main.js')).href;
    const program = `process.exitCode = await (await import('${main}')).launcher(process.argv.slice(1))`;
    const args = ['--input-type=module', '-e', program, '--', ...words];
    const inherited = Object.entries(process.env).filter(([name]) => !OF_THIS_RUN.test(name));
    return new Launched(
      spawn(process.execPath, args, {
        cwd: folder,
        env: { ...Object.fromEntries(inherited), ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
        ...account,
      }),
    );
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  async says(text: string): Promise<void> {
    await eventually(
      () => {
        if (this.output.includes(text)) return true;
        throw new Error(`"${text}" is not in:\n${this.output}`);
      },
      { withinMs: 60_000 },
    );
  }

  interrupt(): Promise<number | null> {
    this.child.kill('SIGINT');
    return this.ended;
  }

  kill9(): Promise<number | null> {
    this.child.kill('SIGKILL');
    return this.ended;
  }
}

/** The processes registered by a launcher. */
export function processesOf(dataDir: string): RegisteredProcess[] {
  return JSON.parse(fs.readFileSync(path.join(dataDir, 'processes.json'), 'utf8')) as RegisteredProcess[];
}
