export type Target = 'worker' | 'api' | 'redis' | 'postgres' | 'receiver';

/** How many there are of each, to be struck. */
export const CAST: Readonly<Record<Target, number>> = { worker: 2, api: 2, redis: 1, postgres: 1, receiver: 3 };

export type QueueKind = 'redis' | 'postgres';
