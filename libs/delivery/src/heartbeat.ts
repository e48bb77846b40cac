/** Also the interval in which the API reads the clock of PostgreSQL. */
export const HEARTBEAT_EVERY_MS = 5_000;

export const WORKER_GONE_AFTER_MS = 3 * HEARTBEAT_EVERY_MS;
