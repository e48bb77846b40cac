import type { Client } from 'pg';
import { freePort } from '../../apps/launcher/src/ports.js';
import { ready } from '#test/support/app-process.js';
import { type SeededAccount, seedAccount } from '#test/support/seed.js';
import { BenchProcess } from '../bench-process.js';
import { BenchSetup } from '../delivery/bench-setup.js';
import { postgresPid } from '../server-pids.js';
import type { LoadRequest, LoadResult } from './load.js';

/** An API process on an empty database, an account in it, and a load generator. */
export class HttpBench {
  private constructor(
    private readonly setup: BenchSetup,
    readonly account: SeededAccount,
    readonly base: string,
    private readonly api: BenchProcess,
  ) {}

  static async start(): Promise<HttpBench> {
    const setup = await BenchSetup.open();
    const account = await seedAccount(setup.sql);
    const port = await freePort();
    const environment = { PORT: `${port}`, LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '1000000' };
    const api = setup.process('api.js', { environment });
    const base = `http://127.0.0.1:${port}`;
    await ready(base, { withinMs: 30_000 });
    return new HttpBench(setup, account, base, api);
  }

  get sql(): Client {
    return this.setup.sql;
  }

  get token(): string {
    return this.account.owner.token;
  }

  /** The measured processes: the API and PostgreSQL. */
  async servers(): Promise<number[]> {
    return [this.api.pid, await postgresPid(this.sql)];
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

  stop(): Promise<void> {
    return this.setup.close();
  }
}
