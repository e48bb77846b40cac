import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { PROCESS_FLAGS } from '../../../apps/launcher/src/load-program.js';
import { ready } from '#test/support/app-process.js';
import { unpackedFile } from '../support/debian-packages.js';
import type { Host, HostedProgram } from './host.js';
import { WHOLE_NETWORK } from './network.js';

const PORT = '3000';
/** Its C library is not newer than that of any machine on which Node 20 runs. */
const FAKETIME = { suite: 'bookworm', names: ['libfaketime'] };
const START_TIMEOUT_MS = 60_000;

export const MAX_ATTEMPTS = 7;
const RETRY_SCHEDULE = '1,2,4,8,16,32';

export interface Installation {
  /** A built checkout. */
  readonly checkout: string;
  readonly environment: Readonly<Record<string, string>>;
}

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
  private running: HostedProgram | undefined;

  constructor(
    readonly host: Host,
    private readonly kind: 'api' | 'worker',
    private readonly installation: Installation,
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
    this.running = this.host.start(
      this.kind,
      [process.execPath, ...PROCESS_FLAGS, entryOf(this.installation, this.kind)],
      {
        ...this.installation.environment,
        [this.kind === 'api' ? 'PORT' : 'WORKER_PORT']: PORT,
        ...(this.kind === 'worker' && this.movableClock()),
      },
    );
    await Promise.race([ready(this.base, { withinMs: START_TIMEOUT_MS }), this.endsEarly(this.running)]);
  }

  /** Seconds ahead of the others. */
  setClock(seconds: number): void {
    fs.writeFileSync(this.clockFile, `${seconds < 0 ? '' : '+'}${seconds}s\n`);
  }

  async stop(): Promise<void> {
    await this.running?.end('SIGTERM');
  }

  private get clockFile(): string {
    return path.join(this.host.folder, 'clock');
  }

  private movableClock(): Record<string, string> {
    return {
      LD_PRELOAD: faketimeLibrary(),
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_TIMESTAMP_FILE: this.clockFile,
      FAKETIME_CACHE_DURATION: '1',
    };
  }

  private async endsEarly(running: HostedProgram): Promise<void> {
    const code = await running.exited;
    throw new Error(`${this.name} did not start (${code}): ${this.host.read(`${this.kind}.log`).slice(-1500)}`);
  }
}

/** Runs an operator command on the host of an API. */
export async function runOperatorCommand(host: Host, installation: Installation, words: string[]): Promise<void> {
  const { environment } = installation;
  const program = host.start('cli', [process.execPath, entryOf(installation, 'cli'), ...words], environment);
  const code = await program.exited;
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${host.read('cli.log').slice(-1500)}`);
}

/** The bundle of an app; older versions have only its compiled main module. */
function entryOf({ checkout }: Installation, app: 'api' | 'worker' | 'cli'): string {
  const bundled = path.join(checkout, `dist/${app}.js`);
  return fs.existsSync(bundled) ? bundled : path.join(checkout, `dist/apps/${app}/src/main.js`);
}

function faketimeLibrary(): string {
  const folder = unpackedFile(FAKETIME, 'usr/lib');
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return path.join(
    folder,
    files.find((name) => name.endsWith('/libfaketime.so.1'))!,
  );
}
