import { randomBytes } from 'node:crypto';
import type { Client as PgClient } from 'pg';
import { DIST } from '#test/support/app-process.js';
import { createDatabase, withClient } from '#test/support/database.js';
import { startServer } from '#test/support/servers.js';
import { CuttingProxy } from '../cutting-proxy.js';
import { freePort } from '../../../apps/launcher/src/ports.js';
import { RestartableApp } from './restartable-app.js';
import { TARGET_COUNTS, type BackendKind } from './fault-targets.js';
import { openRecorder } from './event-recorder.js';
import { ReceiverProbe } from './receiver-probe.js';
import { UnreliableReceiver } from './unreliable-receiver.js';

/** Maximum attempts of a delivery: one more than the waits of RETRY_SCHEDULE. */
export const MAX_ATTEMPTS = 8;
/** Longer than any outage but the permanent one, short enough for a round to reach the last attempt. */
const RETRY_SCHEDULE = '0.3,0.4,0.6,0.8,1.2,1.6,2';

/** The maximum number of deliveries that one worker has in hand, and loses when it is killed. */
export const WORKER_CONCURRENCY = 50;

export type SystemUnderTest = Awaited<ReturnType<typeof openSystem>>;

/** The whole product on its own servers, with receivers: everything that the rounds of one queue can break. */
export async function openSystem(queue: BackendKind) {
  const postgres = await startServer('postgres');
  // Durable, so that a restart keeps the data and only a wipe loses it.
  const redis = queue === 'redis' ? await startServer('redis', { durable: true }) : undefined;
  const { url } = await createDatabase(postgres.url);
  const environment = environmentOf(url, redis?.url);
  const recorder = await openRecorder(environment);
  const proxy = await CuttingProxy.inFrontOf(url, 'deskwire-');
  const ways = [environment, { ...environment, DATABASE_URL: proxy.url }];
  const [workers, apis] = [await appProcesses('worker', ways), await appProcesses('api', ways)];
  const processes = [...workers, ...apis];
  const receivers = Array.from({ length: TARGET_COUNTS.receiver }, () => new UnreliableReceiver());
  const probe = new ReceiverProbe();
  await Promise.all([...receivers, ...processes, probe].map((part) => part.start()));
  const parts = { postgres, redis, recorder, proxy, workers, apis, processes, receivers, probe };
  return {
    ...parts,
    sql: <T>(work: (client: PgClient) => Promise<T>): Promise<T> => withClient(url, work),
    async close(): Promise<void> {
      await Promise.all(processes.map((process) => process.stop()));
      for (const receiver of receivers) receiver.close();
      await probe.close();
      await recorder.close();
      proxy.stop();
      await postgres.stop();
      await redis?.stop();
    },
  };
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
