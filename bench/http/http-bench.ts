import { createDataSource, runMigrations } from '#libs/database';
import { type Settings, readSettings } from '#libs/settings';
import { Client } from 'pg';
import { freePort } from '../../apps/launcher/src/ports.js';
import { ready } from '../../test/support/app-process.js';
import { type SeededAccount, seedAccount } from '../../test/support/seed.js';
import { BenchProcess } from '../bench-process.js';
import type { LoadRequest, LoadResult } from './load.js';

/** An API process on an empty database, an account in it, and a way to put load on things. */
export class HttpBench {
  private constructor(
    readonly sql: Client,
    readonly account: SeededAccount,
    readonly base: string,
    private readonly api: BenchProcess,
  ) {}

  static async start(): Promise<HttpBench> {
    const settings = readSettings({ ...process.env });
    await migrate(settings);
    const sql = new Client({ connectionString: settings.DATABASE_URL });
    await sql.connect();
    const account = await seedAccount(sql);
    const port = await freePort();
    const environment = { PORT: `${port}`, LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '1000000' };
    const api = BenchProcess.start('apps/api/src/main.js', { environment });
    const base = `http://127.0.0.1:${port}`;
    await ready(base, { withinMs: 30_000 });
    return new HttpBench(sql, account, base, api);
  }

  get token(): string {
    return this.account.owner.token;
  }

  async load(
    requests: readonly LoadRequest[],
    { base = this.base, concurrency = 16, keepBodies = false } = {},
  ): Promise<LoadResult> {
    const child = BenchProcess.start('bench/http/load.js', {
      input: JSON.stringify({ base, concurrency, requests, keepBodies }),
    });
    return child.nextJsonWith<LoadResult>('perSecond');
  }

  async stop(): Promise<void> {
    await this.api.stop();
    await this.sql.end();
  }
}

async function migrate(settings: Settings): Promise<void> {
  const dataSource = await createDataSource(settings, 'bench').initialize();
  await runMigrations(dataSource);
  await dataSource.destroy();
}
