import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../../../apps/launcher/src/ports.js';
import { libraryEnvironment } from '../../../apps/launcher/src/redis/program.js';
import { eventually } from '#test/support/eventually.js';
import { redisProgram } from '#test/support/servers.js';

export const PASSWORD = 'of-the-servers';

/** Short timeouts, because the host may be away. */
const IMPATIENT = { connectTimeout: 2_000, commandTimeout: 5_000 };

/** For a set-up, whose hosts are there: a busy machine may take seconds to connect. */
const PATIENT = { connectTimeout: 30_000, commandTimeout: 30_000 };

/** The hosts of Redis servers. */
export interface RedisHost {
  readonly address: string;
  /** A free port there. The nodes of a Cluster talk over their bus. */
  port(kind: 'server' | 'sentinel' | 'bus'): Promise<number>;
  /** Starts a server with these lines in its configuration, in its own writable folder. */
  prepare(lines: readonly string[], kind: 'server' | 'sentinel'): Promise<PreparedRedis>;
}

export interface PreparedRedis {
  run(): ChildProcess;
  remove(): void;
}

export interface NodeOptions {
  /** Lines of the configuration, besides the port and the folder. */
  readonly lines: (port: number) => readonly string[];
  readonly sentinel?: boolean;
  readonly password?: string;
  readonly on?: RedisHost;
}

/** A Redis server or Sentinel as a separate process, as on its own host. */
export class RedisNode {
  private constructor(
    readonly host: string,
    readonly port: number,
    private readonly password: string,
    private readonly prepared: PreparedRedis,
    private running: ChildProcess,
  ) {}

  static async start({
    lines,
    sentinel = false,
    password = PASSWORD,
    on = THIS_MACHINE,
  }: NodeOptions): Promise<RedisNode> {
    const kind = sentinel ? 'sentinel' : 'server';
    const port = await on.port(kind);
    const prepared = await on.prepare([`port ${port}`, `bind ${on.address}`, ...lines(port)], kind);
    const node = new RedisNode(on.address, port, password, prepared, prepared.run());
    try {
      await node.answers();
      return node;
    } catch (error) {
      await node.stop();
      throw error;
    }
  }

  /** Connections stay open without answers, as if the host had vanished. */
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
    await this.start();
  }

  /** Restarts it after it was killed. */
  async start(): Promise<void> {
    this.running = this.prepared.run();
    await this.answers();
  }

  /** Changes this server in a set-up. */
  configure<T>(work: (redis: Redis) => Promise<T>): Promise<T> {
    return this.ask(work, PATIENT);
  }

  async ask<T>(work: (redis: Redis) => Promise<T>, timeouts = IMPATIENT): Promise<T> {
    const { host, port, password } = this;
    const redis = new Redis({ host, port, password, lazyConnect: true, maxRetriesPerRequest: 0, ...timeouts });
    redis.on('error', () => undefined);
    try {
      return await work(redis);
    } finally {
      redis.disconnect();
    }
  }

  async stop(): Promise<void> {
    if (this.running.exitCode === null && this.running.signalCode === null) await this.kill9();
    this.prepared.remove();
  }

  private async answers(): Promise<void> {
    await eventually(() => this.ask((redis) => redis.ping()), { withinMs: 30_000 });
  }
}

/** Stops the nodes if the set-up fails: its caller gets nothing to stop, and their output keeps the test run open. */
export async function setUpNodes<T>(setUp: (start: typeof RedisNode.start) => Promise<T>): Promise<T> {
  const starting: Promise<RedisNode>[] = [];
  try {
    return await setUp((options) => {
      const node = RedisNode.start(options);
      starting.push(node);
      return node;
    });
  } catch (error) {
    for (const result of await Promise.allSettled(starting))
      if (result.status === 'fulfilled') await result.value.stop();
    throw error;
  }
}

interface Command {
  readonly file: string;
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

export const onThisMachine = (find: () => Promise<Command>): RedisHost => ({
  address: '127.0.0.1',
  port: () => freePort(),
  async prepare(lines, kind) {
    const { file, words, env } = await find();
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'deskwire-redis-'));
    const configuration = path.join(folder, 'node.conf');
    fs.writeFileSync(configuration, [`dir ${folder}`, ...lines].join('\n'));
    return {
      run: () =>
        spawn(file, [...words, configuration, ...(kind === 'sentinel' ? ['--sentinel'] : [])], {
          env,
          stdio: ['ignore', fs.openSync(path.join(folder, 'log'), 'a'), 'inherit'],
        }),
      remove: () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
    };
  },
});

/** With the Redis of the test run. */
export const THIS_MACHINE = onThisMachine(async () => {
  const { file, libraries } = await redisProgram();
  return { file, words: [], env: libraryEnvironment(libraries) };
});
