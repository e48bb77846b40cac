import { randomBytes } from 'node:crypto';
import { Client as PgClient } from 'pg';
import { DIST } from '#test/support/app-process.js';
import { type TestDatabase, createDatabase } from '#test/support/database.js';
import { type PrivateServer, startServer } from '#test/support/servers.js';
import { CuttingProxy } from '../cutting-proxy.js';
import { freePort } from '../../../apps/launcher/src/ports.js';
import { RestartableApp } from './restartable-app.js';
import { TARGET_COUNTS, type BackendKind } from './fault-targets.js';
import { EventRecorder } from './event-recorder.js';
import { ReceiverProbe } from './receiver-probe.js';
import { UnreliableReceiver } from './unreliable-receiver.js';

/** Maximum attempts of a delivery: one more than the waits of RETRY_SCHEDULE. */
export const MAX_ATTEMPTS = 8;
/** Longer than any outage but the permanent one, short enough for a round to reach the last attempt. */
const RETRY_SCHEDULE = '0.3,0.4,0.6,0.8,1.2,1.6,2';

/** The maximum number of deliveries that one worker has in hand, and loses when it is killed. */
export const WORKER_CONCURRENCY = 50;

interface SystemResources {
  readonly postgres: PrivateServer;
  readonly redis: PrivateServer | undefined;
  readonly database: TestDatabase;
  readonly recorder: EventRecorder;
  readonly proxy: CuttingProxy;
}

/** The whole product on its own servers, with receivers: everything that the rounds of one queue can break. */
export class SystemUnderTest {
  readonly postgres: PrivateServer;
  readonly redis: PrivateServer | undefined;
  readonly recorder: EventRecorder;
  readonly proxy: CuttingProxy;
  readonly receivers = Array.from({ length: TARGET_COUNTS.receiver }, () => new UnreliableReceiver());
  readonly probe = new ReceiverProbe();

  private constructor(
    private readonly parts: SystemResources,
    readonly workers: readonly RestartableApp[],
    readonly apis: readonly RestartableApp[],
  ) {
    this.postgres = parts.postgres;
    this.redis = parts.redis;
    this.recorder = parts.recorder;
    this.proxy = parts.proxy;
  }

  static async open(queue: BackendKind): Promise<SystemUnderTest> {
    const postgres = await startServer('postgres');
    // Durable, so that a restart keeps the data and only a wipe loses it.
    const redis = queue === 'redis' ? await startServer('redis', { durable: true }) : undefined;
    const database = await createDatabase(postgres.url);
    const environment = environmentOf(database.url, redis?.url);
    const recorder = await EventRecorder.open(environment);
    const proxy = await CuttingProxy.inFrontOf(database.url, 'deskwire-');
    const parts = { postgres, redis, database, recorder, proxy };
    const ways = [environment, { ...environment, DATABASE_URL: proxy.url }];
    const fixture = new SystemUnderTest(parts, await appProcesses('worker', ways), await appProcesses('api', ways));
    await Promise.all([...fixture.receivers, ...fixture.processes, fixture.probe].map((part) => part.start()));
    return fixture;
  }

  get processes(): readonly RestartableApp[] {
    return [...this.workers, ...this.apis];
  }

  /** Runs SQL over a new connection, which no restart has broken. */
  readonly sql = async <T>(work: (client: PgClient) => Promise<T>): Promise<T> => {
    const client = new PgClient({ connectionString: this.parts.database.url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };

  async close(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.stop()));
    for (const receiver of this.receivers) receiver.close();
    await this.probe.close();
    await this.recorder.close();
    this.proxy.stop();
    await this.postgres.stop();
    await this.redis?.stop();
  }
}

/** The second process of each kind reaches PostgreSQL through the proxy. */
function appProcesses(app: 'api' | 'worker', ways: readonly Readonly<Record<string, string>>[]) {
  return Promise.all(
    ways.map(
      async (environment, index) =>
        new RestartableApp(`${app} ${index + 1}`, app, { port: await freePort(), environment }),
    ),
  );
}

function environmentOf(databaseUrl: string, redisUrl: string | undefined): Record<string, string> {
  return {
    NODE_ENV: 'test',
    NODE_OPTIONS: `--import=${new URL('test/faults/collect-garbage.js', DIST).href}`,
    LOG_LEVEL: 'warn',
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: '8',
    QUEUE_PREFIX: `faults-${randomBytes(6).toString('hex')}`,
    SHUTDOWN_GRACE_MS: '5000',
    WORKER_CONCURRENCY: `${WORKER_CONCURRENCY}`,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    MAIL_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEBHOOK_TIMEOUT_MS: '2000',
    WEBHOOK_RETRY_SCHEDULE: RETRY_SCHEDULE,
    RATE_LIMIT_PER_MINUTE: '1000000',
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
  };
}
