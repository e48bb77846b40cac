import { LEASE_MS } from '#libs/webhooks';
import { availableCores } from '../../available-cores.js';

export { LEASE_MS };

// limits.spec.ts checks the relations that are not computed.

/** Higher, express waits for CPU time. A limit on concurrency would starve bulk to slow receivers. */
export const BULK_PER_SECOND_BESIDE_EXPRESS = 400 * availableCores();

/** Smaller rounds cost more. */
export const FEED_BATCH = 500;

/** A probe and the next delivery. With one, a recovered receiver idles. */
export const MAX_QUEUED_PER_SLOW_WEBHOOK = 2;

/** Pauses a backlog. */
export const FEED_BUSY_MS = 25;

/** Shorter, most deliveries would cost a renewal. */
export const LEASE_RENEW_AFTER_MS = 1_000;
export const LEASE_RENEW_EVERY_MS = 1_000;

/** Longer, deliveries of a lost queue wait for their leases. */
export const QUEUE_LOSS_CHECK_MS = 1_000;

/** Shorter, the release of all deliveries overwrites claims. */
export const RECLAIM_DELAY_MS = 300;

/** Earlier, running deliveries of a lost queue are sent twice. */
export const RELEASED_DUE_AFTER_MS = 2_500;

/** Average step time of a busy process. Higher, a burst delays express. */
export const BUSY_STEP_MS = 30;
export const BUSY_STEP_BESIDE_EXPRESS_MS = 6;

/** Without it, a busy moment stops bulk. */
export const MIN_CONCURRENCY = 32;
export const MIN_CONCURRENCY_BESIDE_EXPRESS = 16;

/** Used until the first measurement. */
export const FIRST_CONCURRENCY = 100;

/** More would be lost to a receiver that never answers. */
export const INITIAL_RECEIVER_LIMIT = 8;

/** Applies after a time-out. */
export const PROBE_RECEIVER_LIMIT = 1;

/** Without it, postponed deliveries circle through the queue. */
export const PAUSE_MS = {
  min: 1_000,
  /** For a host whose rate may soon rise. */
  max: 30_000,
  /** For a receiver or host whose rate is known. */
  maxAtKnownRate: 600_000,
};

/** Without it, learned limits fill memory. */
export const LIMITER_FORGOTTEN_AFTER_MS = 60_000;

/** Slower, a request frees its slot, or hanging receivers would use up all. */
export const PROMPT_WITHIN_MS = 500;

/** A receiver is silent after this, or after twice its usual time. */
export const SILENT_AFTER_MS = 1_000;

export const RECEIVER_CHECK_MS = 100;

/** Shorter, a slow receiver fills slots again and again. */
export const RECEIVER_SLOW_FOR_MS = 30_000;

/** More would delay new events and other replays. */
export const MAX_DUE_PER_REPLAY = 200;

/** Without it, other replays get no turns. */
export const REPLAY_STEP_PAUSE_MS = 50;

/** Pause while deliveries wait for their receiver, and between the last step and the end of rounds. */
export const REPLAY_FULL_PAUSE_MS = 250;
