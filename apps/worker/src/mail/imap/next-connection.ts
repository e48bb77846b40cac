import { backoffMs } from '#libs/pacing';

const BACKOFF = { firstMs: 1_000, maxMs: 900_000 };

export const pauseAfter = (tries: number): number => backoffMs(tries + 1, BACKOFF);
