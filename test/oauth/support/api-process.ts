import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../support/eventually.js';
import { freePort } from './oauth-desk.js';

const MAIN = fileURLToPath(new URL('../../../dist/apps/api/src/main.js', import.meta.url));

/** The API as it is run in earnest: a process of its own, whose whole output can be read. */
export class ApiProcess {
  private readonly log: string[] = [];

  private constructor(
    private readonly child: ChildProcess,
    readonly base: string,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => this.log.push(chunk.toString()));
  }

  static async start(environment: Readonly<Record<string, string>>): Promise<ApiProcess> {
    const { PATH = '' } = process.env;
    const port = String(await freePort());
    const env = { PATH, ...environment, PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` };
    const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const api = new ApiProcess(child, env.PUBLIC_URL);
    await eventually(async () => (await fetch(`${api.base}/readyz`)).ok, { withinMs: 20_000 });
    return api;
  }

  output = (): string => this.log.join('');

  /** As an orchestrator would; resolves with the exit code. */
  async stop(): Promise<number | null> {
    if (this.child.exitCode === null) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      await ended;
    }
    return this.child.exitCode;
  }
}
