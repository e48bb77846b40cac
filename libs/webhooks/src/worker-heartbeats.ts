/** How often a worker reports that it is alive. */
export const HEARTBEAT_EVERY_MS = 5_000;

/** A worker that missed three heartbeats counts as gone. */
export const WORKER_GONE_AFTER_MS = 3 * HEARTBEAT_EVERY_MS;
