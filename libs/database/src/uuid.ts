import { MAX, NIL, v7 } from 'uuid';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Sorts before every other id, so a walk in the order of ids begins after it. */
export const NIL_UUID: string = NIL;
/** Sorts behind every other id. */
export const MAX_UUID: string = MAX;

/** Version 7: ordered by time, so that indexes grow at one end and partitions can be cut by it. */
export const uuidAt = (now: Date): string => v7({ msecs: now.getTime() });

/** The moment with which a version 7 id begins. */
export const timeOfUuid = (id: string): Date => new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));

/** What comes from outside is asked first: PostgreSQL would answer a malformed id with an error, not with no row. */
export const isUuid = (text: string): boolean => UUID.test(text);
