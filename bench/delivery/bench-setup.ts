import { setTimeout as wait } from 'node:timers/promises';
import { createDataSource, runMigrations } from '#libs/database';
import { type Settings, readSettings } from '#libs/settings';
import { Client } from 'pg';
import { BenchProcess } from '../bench-process.js';
import { BenchSubscribers } from './bench-subscribers.js';

const ARRIVAL_TIMEOUT_MS = 30 * 60_000;

export interface Latency {
  readonly seen: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** A receiver in a process of its own, that tells what it saw. */
export class BenchReceiver {
  private constructor(
    private readonly child: BenchProcess,
    readonly url: string,
  ) {}

  static async start(answersAfterMs: number): Promise<BenchReceiver> {
    const child = BenchProcess.start('bench/receiver.js', { args: [`${answersAfterMs}`] });
    const { port } = await child.nextJsonWith<{ port: number }>('port');
    return new BenchReceiver(child, `http://127.0.0.1:${port}/`);
  }

  async reset(): Promise<void> {
    await fetch(this.url, { method: 'DELETE' });
  }

  async seen(): Promise<number> {
    return ((await (await fetch(`${this.url}seen`)).json()) as { seen: number }).seen;
  }

  async stats(): Promise<Latency> {
    return (await (await fetch(this.url)).json()) as Latency;
  }

  async waitFor(count: number, everyMs = 20): Promise<Latency> {
    for (const end = Date.now() + ARRIVAL_TIMEOUT_MS; Date.now() < end; await wait(everyMs)) {
      if ((await this.seen()) >= count) return this.stats();
    }
    throw new Error(`Not all of ${count} arrived within half an hour.`);
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}

/** The database of a measurement, the accounts in it, and whatever was started for it. */
export class BenchSetup {
  private readonly started: { stop(): Promise<unknown> }[] = [];

  private constructor(
    readonly settings: Settings,
    readonly sql: Client,
    readonly subscribers: BenchSubscribers,
  ) {}

  static async open(): Promise<BenchSetup> {
    const settings = readSettings({ ...process.env, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
    const dataSource = await createDataSource(settings, 'bench').initialize();
    await runMigrations(dataSource);
    await dataSource.destroy();
    const sql = new Client({ connectionString: settings.DATABASE_URL });
    await sql.connect();
    return new BenchSetup(settings, sql, new BenchSubscribers(sql, settings));
  }

  async receiver({ answersAfterMs = 0 } = {}): Promise<BenchReceiver> {
    return this.stopAtEnd(await BenchReceiver.start(answersAfterMs));
  }

  worker(environment: Readonly<Record<string, string>> = {}): BenchProcess {
    const quiet = { LOG_LEVEL: 'warn', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };
    return this.stopAtEnd(BenchProcess.start('apps/worker/src/main.js', { environment: { ...quiet, ...environment } }));
  }

  async close(): Promise<void> {
    for (const part of this.started.toReversed()) await part.stop();
    await this.sql.end();
  }

  private stopAtEnd<T extends { stop(): Promise<unknown> }>(part: T): T {
    this.started.push(part);
    return part;
  }
}
