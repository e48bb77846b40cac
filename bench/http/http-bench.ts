import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createDataSource, runMigrations } from '#libs/database';
import { type Settings, readSettings } from '#libs/settings';
import { Client } from 'pg';
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
    await waitUntilApiReady(base);
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

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function waitUntilApiReady(base: string): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end; await wait(50)) {
    const answer = await fetch(`${base}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
  }
  throw new Error('The API was not ready within 30 s.');
}
