import { createDataSource, runMigrations } from '#libs/database';
import { type Settings, readSettings } from '#libs/settings';
import { Client } from 'pg';
import { BenchProcess, type BenchProcessOptions } from '../bench-process.js';
import { BenchReceiver } from './bench-receiver.js';
import { BenchSubscribers } from './bench-subscribers.js';

/** The database of a measurement, its accounts, and the processes started for it. */
export class BenchSetup {
  private readonly started: BenchProcess[] = [];

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

  receiver({ answersAfterMs = 0 } = {}): Promise<BenchReceiver> {
    return BenchReceiver.of(this.process('bench/receiver.js', { args: [`${answersAfterMs}`] }));
  }

  worker(
    environment: Readonly<Record<string, string>> = {},
    { profileTo, file = 'worker.js' }: { profileTo?: string | undefined; file?: string } = {},
  ): BenchProcess {
    const quiet = { LOG_LEVEL: 'warn', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };
    return this.process(file, { environment: { ...quiet, ...environment }, profileTo });
  }

  /** Ends with the measurement. */
  process(file: string, options: BenchProcessOptions): BenchProcess {
    const child = BenchProcess.start(file, options);
    this.started.push(child);
    return child;
  }

  async close(): Promise<void> {
    for (const child of this.started.toReversed()) await child.stop();
    await this.sql.end();
  }
}
