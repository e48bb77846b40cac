import path from 'node:path';
import { logFolder } from './home.js';
import { launch, rotateLog, type Exit, type Running } from './program.js';
import type { Ground } from './ground.js';

/**
 * A worker keeps one core busy. The four helpers that Node gives it would take the others’, to collect its garbage; and
 * with more room for young objects there is less to collect.
 */
const NODE_FLAGS: Readonly<Record<string, readonly string[]>> = {
  worker: ['--v8-pool-size=1', '--max-semi-space-size=32'],
};

/** One of the product's own processes, which writes its log to a file. */
export class App {
  readonly log: string;
  private running: Running;

  constructor(
    readonly name: string,
    private readonly ground: Ground,
    private readonly environment: NodeJS.ProcessEnv,
  ) {
    this.log = rotateLog(path.join(logFolder(ground.home.folder), `${name}.log`));
    this.running = this.launch();
  }

  get exited(): Promise<Exit> {
    return this.running.exited;
  }

  async restart(): Promise<void> {
    await this.running.stop();
    this.running = this.launch();
  }

  private launch(): Running {
    return launch(
      {
        name: this.name,
        tier: 'app',
        file: process.execPath,
        args: [...(NODE_FLAGS[this.name] ?? []), `dist/apps/${this.name}/src/main.js`],
        environment: this.environment,
        stopSignal: 'SIGTERM',
        // Longer than the app's own SHUTDOWN_GRACE_MS, after which it ends by itself.
        graceMs: 30_000,
        log: this.log,
      },
      this.ground.roster,
    );
  }
}
