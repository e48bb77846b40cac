const FIRST_MS = 1_000;
const MAX_MS = 900_000;

/** How long a server that failed so many times before is left alone: 1 second, twice as long each time, 15 minutes at most. */
export const pauseAfter = (tries: number): number => Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(tries, 20));
