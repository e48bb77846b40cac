import { setTimeout as wait } from 'node:timers/promises';
import { createDataSource, runMigrations } from '#libs/database';
import { type Settings, readSettings } from '#libs/settings';
import { Client } from 'pg';
import { Child } from '../child.js';
import { Crowd } from './crowd.js';

const PATIENCE_MS = 30 * 60_000;

export interface Latency {
  readonly seen: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** A receiver in a process of its own, that tells what it saw. */
export class BenchReceiver {
  private constructor(
    private readonly child: Child,
    readonly url: string,
  ) {}

  static async start(answersAfterMs: number): Promise<BenchReceiver> {
    const child = Child.start('bench/receiver.js', { args: [`${answersAfterMs}`] });
    const { port } = await child.says<{ port: number }>('port');
    return new BenchReceiver(child, `http://127.0.0.1:${port}/`);
  }

  async forget(): Promise<void> {
    await fetch(this.url, { method: 'DELETE' });
  }

  async seen(): Promise<number> {
    return ((await (await fetch(`${this.url}seen`)).json()) as { seen: number }).seen;
  }

  async stats(): Promise<Latency> {
    return (await (await fetch(this.url)).json()) as Latency;
  }

  async arrived(count: number, everyMs = 20): Promise<Latency> {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await wait(everyMs)) {
      if ((await this.seen()) >= count) return this.stats();
    }
    throw new Error(`Not all of ${count} arrived within half an hour.`);
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}

/** The database of a measurement, the accounts in it, and whatever was started for it. */
export class Scene {
  private readonly started: { stop(): Promise<unknown> }[] = [];

  private constructor(
    readonly settings: Settings,
    readonly sql: Client,
    readonly crowd: Crowd,
  ) {}

  static async open(): Promise<Scene> {
    const settings = readSettings({ ...process.env, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
    const dataSource = await createDataSource(settings, 'bench').initialize();
    await runMigrations(dataSource);
    await dataSource.destroy();
    const sql = new Client({ connectionString: settings.DATABASE_URL });
    await sql.connect();
    return new Scene(settings, sql, new Crowd(sql, settings));
  }

  async receiver({ answersAfterMs = 0 } = {}): Promise<BenchReceiver> {
    return this.remember(await BenchReceiver.start(answersAfterMs));
  }

  worker(environment: Readonly<Record<string, string>> = {}): Child {
    const quiet = { LOG_LEVEL: 'warn', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };
    return this.remember(Child.start('apps/worker/src/main.js', { environment: { ...quiet, ...environment } }));
  }

  async close(): Promise<void> {
    for (const part of this.started.toReversed()) await part.stop();
    await this.sql.end();
  }

  private remember<T extends { stop(): Promise<unknown> }>(part: T): T {
    this.started.push(part);
    return part;
  }
}
