import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../../../apps/launcher/src/ports.js';
import { libraryEnvironment } from '../../../apps/launcher/src/redis/program.js';
import { eventually } from '../../support/eventually.js';
import { redisProgram } from '../../support/servers.js';

export const PASSWORD = 'of-the-servers';

export interface NodeOptions {
  /** Lines of the configuration, beside the port and the folder. */
  readonly lines: (port: number) => readonly string[];
  readonly sentinel?: boolean;
  readonly password?: string;
}

/** A server of Redis, or a Sentinel, as a process of its own: as it is run on a host of its own. */
export class RedisNode {
  private constructor(
    readonly port: number,
    private readonly folder: string,
    private readonly password: string,
    private readonly run: () => ChildProcess,
    private running: ChildProcess,
  ) {}

  static async start({ lines, sentinel = false, password = PASSWORD }: NodeOptions): Promise<RedisNode> {
    const { file, libraries } = await redisProgram();
    const port = await freePort();
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'deskwire-redis-'));
    const configuration = path.join(folder, 'node.conf');
    fs.writeFileSync(configuration, [`port ${port}`, `dir ${folder}`, 'bind 127.0.0.1', ...lines(port)].join('\n'));
    const run = (): ChildProcess =>
      spawn(file, [configuration, ...(sentinel ? ['--sentinel'] : [])], {
        env: libraryEnvironment(libraries),
        stdio: ['ignore', fs.openSync(path.join(folder, 'log'), 'a'), 'inherit'],
      });
    const node = new RedisNode(port, folder, password, run, run());
    await node.answers();
    return node;
  }

  /** Connections stay open, and nothing answers any more, as of a host that vanished. */
  freeze(): void {
    this.running.kill('SIGSTOP');
  }

  thaw(): void {
    this.running.kill('SIGCONT');
  }

  async kill9(): Promise<void> {
    const exited = once(this.running, 'exit');
    this.running.kill('SIGKILL');
    await exited;
  }

  async restart(): Promise<void> {
    await this.kill9();
    this.running = this.run();
    await this.answers();
  }

  /** Asks this server itself, whatever its part is. */
  async ask<T>(work: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = new Redis({ port: this.port, password: this.password, lazyConnect: true, maxRetriesPerRequest: 0 });
    redis.on('error', () => undefined);
    try {
      return await work(redis);
    } finally {
      redis.disconnect();
    }
  }

  async stop(): Promise<void> {
    if (this.running.exitCode === null && this.running.signalCode === null) await this.kill9();
    fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  private async answers(): Promise<void> {
    await eventually(() => this.ask((redis) => redis.ping()));
  }
}
