import type { Settings } from '#libs/settings';
import { type PostgresPoolConfig, createPostgresBackend, withBackend } from 'bullmq';
import type { QueueBackend } from './backend.js';
import { DELIVERY_QUEUE } from './delivery-job.js';
import { WORKER_OPTIONS, asked } from './worker-options.js';

/** BullMQ's own tables, apart from ours: it makes and migrates them by itself. */
const SCHEMA = 'deskwire_queue';

const QUEUE_CONNECTIONS = 2;
const WORKER_CONNECTIONS = 8;

const { Queue, Worker } = withBackend(createPostgresBackend);

/** For installations without Redis: several times slower, and nothing is ever forgotten. */
export function postgresBackend(settings: Settings): QueueBackend {
  const connection = (max: number): PostgresPoolConfig => ({
    // It listens, and names its schema when it connects; neither goes through a transaction pooler.
    connectionString: settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL,
    application_name: 'deskwire-queue',
    schema: SCHEMA,
    migrate: true,
    max,
  });
  return {
    name: 'postgresql',
    openQueue: (onError) =>
      new Queue(DELIVERY_QUEUE, { connection: connection(QUEUE_CONNECTIONS) }).on('error', onError),
    openWorker: (perform, concurrency, onError) => {
      const options = { ...WORKER_OPTIONS, connection: connection(WORKER_CONNECTIONS), concurrency };
      return new Worker(DELIVERY_QUEUE, (job) => asked(perform, job), options).on('error', onError);
    },
    life: () => Promise.resolve({ id: 'postgresql', begun: false }),
    close: () => Promise.resolve(),
  };
}
