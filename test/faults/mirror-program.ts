import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { InstalledSdk } from '../sdk/installed-sdk.js';

/** The program in docs/sdk.md. */
const PROGRAM = /^```js file=mirror\.mjs\n([^]*?)^```$/m.exec(readFileSync('docs/sdk.md', 'utf8'))![1]!;

/** That program in its own project, as a process that is killed and restarted. */
export class MirrorProgram {
  private child: ChildProcess | undefined;
  private errors = '';

  private constructor(
    private readonly sdk: InstalledSdk,
    private readonly environment: Readonly<Record<string, string>>,
  ) {}

  static async install(environment: Readonly<Record<string, string>>): Promise<MirrorProgram> {
    const sdk = await InstalledSdk.pack();
    await symlink(resolve('node_modules/pg'), join(sdk.project, 'node_modules/pg'));
    await writeFile(join(sdk.project, 'mirror.mjs'), PROGRAM);
    return new MirrorProgram(sdk, environment);
  }

  /** Its output, which is empty unless it failed. */
  get failure(): string {
    return this.errors;
  }

  start(): void {
    const { PATH = '' } = process.env;
    this.child = spawn(process.execPath, ['mirror.mjs'], {
      cwd: this.sdk.project,
      env: { PATH, ...this.environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.child.stderr?.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
  }

  async kill9(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  async remove(): Promise<void> {
    await this.kill9();
    await this.sdk.remove();
  }
}
