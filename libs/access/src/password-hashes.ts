import { availableParallelism } from 'node:os';
import { Unavailable } from '#libs/entities';
import { FairQueue } from '#libs/pacing';
import { hash, verify } from '@node-rs/argon2';
import { randomToken } from './secrets.js';

/** Argon2id, the first recommendation of OWASP. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Leaves two of Node’s four pool threads for files, compression and name resolution, and a processor for the event loop. */
const MAX_CONCURRENT = Math.max(1, Math.min(2, availableParallelism() - 1));

const MAX_WAITING = 200;

const queue = new FairQueue({
  maxConcurrent: MAX_CONCURRENT,
  maxWaiting: MAX_WAITING,
  newRefusal: () =>
    new Unavailable('too_busy', 'Too many passwords are being checked just now. Try again in a few seconds.'),
});

export const passwordQueueCounts = () => queue.counts;

/** Passwords of one `lane` wait for each other; lanes take turns. */
export const hashPassword = (password: string, lane: string): Promise<string> =>
  queue.run(lane, () => hash(password, COST));

/** Makes the verification take the same time for 0, 1 and 2 accounts. */
const MIN_VERIFIED = 2;

let decoy: Promise<string> | undefined;

export function verifyPassword(hashes: readonly string[], password: string, lane: string): Promise<boolean[]> {
  return queue.run(lane, async () => {
    decoy ??= hash(randomToken(), COST);
    const matches: boolean[] = [];
    for (const passwordHash of hashes) matches.push(await verify(passwordHash, password));
    for (let n = hashes.length; n < MIN_VERIFIED; n++) await verify(await decoy, password);
    return matches;
  });
}
