import { MAX, NIL, v7 } from 'uuid';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const NIL_UUID: string = NIL;
export const MAX_UUID: string = MAX;

/** Ordered by time, so indexes grow at one end and tables can be partitioned. */
export const uuidAt = (now: Date): string => v7({ msecs: now.getTime() });

export const timeOfUuid = (id: string): Date => new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));

/** The smallest UUIDv7 of the millisecond. */
export const smallestIdAt = (ms: number): string =>
  `${ms.toString(16).padStart(12, '0')}${'0'.repeat(20)}`.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** PostgreSQL reports an error for an invalid id instead of returning no row. */
export const isUuid = (text: string): boolean => UUID.test(text);
