import { ResilientClient } from '#libs/database';
import type { Settings } from '#libs/settings';
import { type PostgresPoolConfig, withBackend } from 'bullmq';
import type { QueueBackend } from './queue-backend.js';
import { QUEUE_NAMES } from './delivery-job.js';
import { resilientPostgresBackend } from './resilient-postgres.js';
import { WORKER_OPTIONS, processJob } from './worker-options.js';

/** BullMQ's own tables, apart from ours: it makes and migrates them by itself. */
const SCHEMA = 'deskwire_queue';

const QUEUE_CONNECTIONS = 2;
const WORKER_CONNECTIONS = 4;
const CONNECT_MS = 5_000;

const { Queue, Worker } = withBackend(resilientPostgresBackend);

/** For installations without Redis: several times slower, and nothing is ever forgotten. */
export function postgresBackend(settings: Settings): QueueBackend {
  const connection = (max: number): PostgresPoolConfig => ({
    // It listens, and names its schema when it connects; neither goes through a transaction pooler.
    connectionString: settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL,
    application_name: 'deskwire-queue',
    schema: SCHEMA,
    migrate: true,
    max,
    connectionTimeoutMillis: CONNECT_MS,
    Client: ResilientClient,
  });
  return {
    name: 'postgresql',
    openQueue: (lane, onError) =>
      new Queue(QUEUE_NAMES[lane], { connection: connection(QUEUE_CONNECTIONS) }).on('error', onError),
    openWorker: (lane, perform, onError) => {
      const options = { ...WORKER_OPTIONS, connection: connection(WORKER_CONNECTIONS) };
      return new Worker(QUEUE_NAMES[lane], (job) => processJob(perform, job), options).on('error', onError);
    },
    generation: () => Promise.resolve({ id: 'postgresql', isNew: false }),
    close: () => Promise.resolve(),
  };
}
