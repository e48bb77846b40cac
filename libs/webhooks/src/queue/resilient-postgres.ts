import { ResilientClient } from '#libs/database';
import { createPostgresBackend } from 'bullmq';

interface Startable {
  waitUntilReady(): Promise<void>;
}

/**
 * BullMQ's backend on PostgreSQL, where two things are mended that are private to it: its listening client ends the
 * process when it is lost while nobody hears it, and a start that failed once is remembered as failed for good.
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
