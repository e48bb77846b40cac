import { backoffMs } from '#libs/pacing';

const BACKOFF = { firstMs: 1_000, maxMs: 900_000 };

/** How long to leave a server alone after so many failures in a row, counted from 0. */
export const pauseAfter = (tries: number): number => backoffMs(tries + 1, BACKOFF);
