import { ResilientClient, connectionOptions } from '#libs/database';
import type { Settings } from '#libs/settings';
import { type PostgresPoolConfig, createPostgresBackend, withBackend } from 'bullmq';
import { QUEUE_NAMES } from './delivery-job.js';
import { type OnError, type QueueBackend, WORKER_OPTIONS } from './queue-backend.js';

/** BullMQ's own tables, apart from ours: it makes and migrates them by itself. */
const SCHEMA = 'deskwire_queue';

const QUEUE_CONNECTIONS = 2;
const WORKER_CONNECTIONS = 4;

const { Queue, Worker } = withBackend(resilientBackend);

/** For installations without Redis: several times slower, and nothing is ever forgotten. */
export function postgresBackend(settings: Settings, onError: OnError): QueueBackend {
  const connection = (max: number): PostgresPoolConfig => ({
    // It listens, and names its schema when it connects; neither goes through a transaction pooler.
    ...connectionOptions(settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL),
    application_name: 'deskwire-queue',
    schema: SCHEMA,
    migrate: true,
    max,
  });
  return {
    name: 'postgresql',
    openQueue: (kind) =>
      new Queue(QUEUE_NAMES[kind], { connection: connection(QUEUE_CONNECTIONS) }).on('error', onError),
    openWorker: (kind, process) => {
      const options = { ...WORKER_OPTIONS, connection: connection(WORKER_CONNECTIONS) };
      return new Worker(QUEUE_NAMES[kind], process, options).on('error', onError);
    },
    generation: () => Promise.resolve({ id: 'postgresql', isNew: false }),
    close: () => Promise.resolve(),
  };
}

/**
 * BullMQ's backend on PostgreSQL with two private fields replaced: its listening client ends the process when it is lost
 * while nobody hears it, and a start that failed once is remembered as failed for good. The report for BullMQ is in
 * docs/decisions/bullmq-postgres-backend.md; https://github.com/taskforcesh/bullmq/pull/4781 mends a part of it.
 */
function resilientBackend(...parts: Parameters<typeof createPostgresBackend>) {
  const backend = createPostgresBackend(...parts);
  Object.assign(backend.connection, { pgModule: { Client: ResilientClient } });
  startAgain(backend.connection);
  startAgain(backend);
  return backend;
}

function startAgain(part: { waitUntilReady(): Promise<void> }): void {
  const start = part.waitUntilReady.bind(part);
  part.waitUntilReady = () =>
    start().catch((error: unknown) => {
      Object.assign(part, { readyPromise: undefined });
      throw error;
    });
}
