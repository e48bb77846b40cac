import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { isTransientError } from './transient-error.js';

/** So long may a restart or a failover take; whoever starts a process with a wrong address should hear of it soon. */
const WAITS_MS = 15_000;
const PAUSE_MS = 250;

/** Connected. A process that happens to start while PostgreSQL restarts waits for it, instead of ending. */
export async function openDataSource(make: () => DataSource): Promise<DataSource> {
  for (const end = performance.now() + WAITS_MS; ; await delay(PAUSE_MS)) {
    try {
      return await make().initialize();
    } catch (error) {
      if (!isTransientError(error) || performance.now() > end) throw error;
    }
  }
}
