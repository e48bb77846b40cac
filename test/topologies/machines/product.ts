import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { PROCESS_FLAGS } from '../../../apps/launcher/src/load-program.js';
import { DIST, ready } from '#test/support/app-process.js';
import { MachineClock } from '#test/support/machine-clock.js';
import type { Host, HostedProgram } from './host.js';
import { WHOLE_NETWORK } from './network.js';

const PORT = '3000';
const START_TIMEOUT_MS = 60_000;

export const MAX_ATTEMPTS = 7;
const RETRY_SCHEDULE = '1,2,4,8,16,32';

type Environment = Readonly<Record<string, string>>;

/** The settings shared by all hosts, besides the addresses of the servers. */
export const productEnvironment = (dataFolder: string): Record<string, string> => ({
  NODE_ENV: 'test',
  LOG_LEVEL: 'info',
  HOST: '0.0.0.0',
  PUBLIC_URL: 'http://desk.example.com',
  SECRETS_KEY: `machines:${randomBytes(32).toString('base64')}`,
  DATA_DIR: dataFolder,
  DATABASE_POOL_SIZE: '8',
  SHUTDOWN_GRACE_MS: '5000',
  DRAIN_MS: '0',
  WORKER_CONCURRENCY: '50',
  WEBHOOK_ALLOWED_NETWORKS: WHOLE_NETWORK,
  WEBHOOK_REQUIRE_HTTPS: 'false',
  WEBHOOK_TIMEOUT_MS: '5000',
  WEBHOOK_RETRY_SCHEDULE: RETRY_SCHEDULE,
  RATE_LIMIT_PER_MINUTE: '1000000',
  TRUSTED_PROXIES: '',
});

/** An API or a worker on its own host, whose clock may be moved. */
export class HostedApp {
  private readonly clock = new MachineClock();
  private running: HostedProgram | undefined;

  constructor(
    readonly host: Host,
    private readonly kind: 'api' | 'worker',
    private readonly environment: Environment,
  ) {}

  get name(): string {
    return this.host.name;
  }

  get base(): string {
    return `http://${this.host.address}:${PORT}`;
  }

  get hasEnded(): boolean {
    return this.running?.hasEnded ?? false;
  }

  async start(): Promise<void> {
    this.setClock(0);
    const port = { [this.kind === 'api' ? 'PORT' : 'WORKER_PORT']: PORT };
    const settings = { ...this.environment, ...port, ...this.clock.settings() };
    this.running = this.host.start(this.kind, [process.execPath, ...PROCESS_FLAGS, entryOf(this.kind)], settings);
    await Promise.race([ready(this.base, { withinMs: START_TIMEOUT_MS }), this.endsEarly(this.running)]);
  }

  /** Seconds ahead of the others. */
  setClock(seconds: number): void {
    this.clock.set({ aheadMs: 1_000 * seconds });
  }

  async stop(): Promise<void> {
    await this.running?.end('SIGTERM');
  }

  private async endsEarly(running: HostedProgram): Promise<void> {
    const code = await running.exited;
    throw new Error(`${this.name} did not start (${code}): ${this.host.read(`${this.kind}.log`).slice(-1500)}`);
  }
}

/** Runs an operator command on the host of an API. */
export async function runOperatorCommand(host: Host, environment: Environment, words: string[]): Promise<void> {
  const code = await host.start('cli', [process.execPath, entryOf('cli'), ...words], environment).exited;
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${host.read('cli.log').slice(-1500)}`);
}

const entryOf = (app: 'api' | 'worker' | 'cli'): string => fileURLToPath(new URL(`${app}.js`, DIST));
