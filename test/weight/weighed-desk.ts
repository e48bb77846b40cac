import { Client } from 'pg';
import { Counters } from '../../bench/weight/counters.js';
import { type Desk, startDesk } from '../support/desk.js';
import { type PrivateServer, startServer } from '../support/servers.js';

/** A desk and a worker on servers of their own, whose counters no other test moves. */
export class WeighedDesk {
  private constructor(
    readonly desk: Desk,
    readonly counters: Counters,
    private readonly servers: readonly PrivateServer[],
  ) {}

  static async start(): Promise<WeighedDesk> {
    const [postgres, redis] = await Promise.all([startServer('postgres'), startServer('redis')]);
    await trackStatements(postgres.url);
    const desk = await startDesk({
      databaseServer: postgres.url,
      redisUrl: redis.url,
      queue: 'redis',
      settings: { CATCH_MAIL: 'true' },
    });
    const counters = await Counters.open(desk.sql, redis.url);
    await desk.worker();
    return new WeighedDesk(desk, counters, [postgres, redis]);
  }

  async stop(): Promise<void> {
    this.counters.close();
    await this.desk.stop();
    for (const server of this.servers) await server.stop();
  }
}

/** The API's sessions are older than the counters. */
async function trackStatements(url: string): Promise<void> {
  const sql = new Client({ connectionString: url });
  await sql.connect();
  await sql.query("alter system set pg_stat_statements.track = 'top'");
  await sql.query('select pg_reload_conf()');
  await sql.end();
}
