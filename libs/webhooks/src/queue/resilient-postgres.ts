import { ResilientClient } from '#libs/database';
import { createPostgresBackend } from 'bullmq';

interface Startable {
  waitUntilReady(): Promise<void>;
}

/**
 * BullMQ's backend on PostgreSQL with two private fields replaced: its listening client ends the process when it is lost
 * while nobody hears it, and a start that failed once is remembered as failed for good. The report for BullMQ is in
 * docs/decisions/bullmq-postgres-backend.md; https://github.com/taskforcesh/bullmq/pull/4781 mends a part of it.
 */
export const resilientPostgresBackend: typeof createPostgresBackend = (...parts) => {
  const backend = createPostgresBackend(...parts);
  Object.assign(backend.connection, { pgModule: { Client: ResilientClient } });
  startAgain(backend.connection);
  startAgain(backend);
  return backend;
};

function startAgain(part: Startable): void {
  const start = part.waitUntilReady.bind(part);
  part.waitUntilReady = () =>
    start().catch((error: unknown) => {
      Object.assign(part, { readyPromise: undefined });
      throw error;
    });
}
