import { availableParallelism } from 'node:os';
import { Unavailable } from '#libs/entities';
import { FairQueue } from '#libs/pacing';
import { hash, verify } from '@node-rs/argon2';
import { randomToken } from './secrets.js';

/** Argon2id (the library's default algorithm) with OWASP's first recommendation: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * Hashes run on Node's thread pool, which has four threads and also compresses pages, reads files and resolves names.
 * Two threads stay free for that, and one processor for the event loop. So hashes take 38 MiB at most.
 */
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1));

/** A few seconds of work. Whoever comes later is better told to try again. */
const MAX_WAITING = 200;

/** One for the process, because the thread pool is. */
const queue = new FairQueue({
  atOnce: AT_ONCE,
  mostWaiting: MAX_WAITING,
  refusal: () =>
    new Unavailable('too_busy', 'Too many passwords are being checked just now. Try again in a few seconds.'),
});

/** How many passwords wait to be checked in this process, and how many were refused. */
export const passwordQueueCounts = () => queue.counts;

/** Those of one `lane` wait for each other; the lanes take turns. */
export const hashPassword = (password: string, lane: string): Promise<string> =>
  queue.run(lane, () => hash(password, COST));

/** So many are verified at least, so that the time does not tell 0 or 1 account from 2. */
const MIN_VERIFIED = 2;

let decoy: Promise<string> | undefined;

/** Says of each hash whether it is of this password. Takes as long for no hash as for one or two. */
export function verifyPassword(hashes: readonly string[], password: string, lane: string): Promise<boolean[]> {
  return queue.run(lane, async () => {
    decoy ??= hash(randomToken(), COST);
    const matches: boolean[] = [];
    for (const passwordHash of hashes) matches.push(await verify(passwordHash, password));
    for (let n = hashes.length; n < MIN_VERIFIED; n++) await verify(await decoy, password);
    return matches;
  });
}
