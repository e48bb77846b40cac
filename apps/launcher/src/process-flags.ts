/**
 * Of the API and of a worker, each of which can keep one core busy. The four threads that Node starts to collect garbage
 * would take the other cores. With more room for young objects there is less to collect.
 */
export const PROCESS_FLAGS: readonly string[] = ['--v8-pool-size=1', '--max-semi-space-size=32'];
