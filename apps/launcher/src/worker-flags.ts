/**
 * A worker keeps one core busy. The four threads that Node starts to collect garbage would take the other cores. With
 * more room for young objects there is less to collect.
 */
export const WORKER_FLAGS: readonly string[] = ['--v8-pool-size=1', '--max-semi-space-size=32'];
