import { LEASE_MS } from '#libs/webhooks';
import { BULK_PER_SECOND_BESIDE_EXPRESS } from './delivery-slot-limiter.js';

export { LEASE_MS };

// limits.spec.ts checks the relations that are not computed.

/** Higher, a burst delays express of other accounts. */
export const EXPRESS_BURST = 50;

/** Lower, steady traffic of an account becomes bulk. */
export const EXPRESS_REFILL_PER_SECOND = 200;

/** Higher, the API starves on a small machine. */
export const EXPRESS_EVENTS_PER_SECOND_ALONE = 300;

/** A bursting account returns to express at this. Lower, it switches back and forth within a burst. */
export const EXPRESS_RECOVERED = EXPRESS_BURST / 2;

/** A longer round delays events committed during it. */
export const CLAIM_LIMITS = {
  accounts: 200,
  events: 250,
  /** Above the burst, or the first round would not reveal a bursting account. */
  eventsPerAccount: EXPRESS_BURST + 10,
  webhooks: 1_000,
  /** Queued even without room for bulk. */
  expressPerAccount: EXPRESS_BURST,
};

/** A round for bursting accounts. Smaller rounds cost more. */
export const BURSTING_CLAIM_LIMITS = { ...CLAIM_LIMITS, events: 1_000, eventsPerAccount: 1_000, expressPerAccount: 0 };

/** Bulk is unlimited after this pause of express. Shorter, it delays the next event. */
export const EXPRESS_IDLE_AFTER_MS = 1_000;

/** Shorter delays express; longer starves bulk. */
export const BURSTING_PAUSE_BESIDE_EXPRESS_MS = 60;

/** A larger round fills the room for bulk at once. */
export const BURSTING_CLAIM_LIMITS_BESIDE_EXPRESS = {
  ...BURSTING_CLAIM_LIMITS,
  events: Math.ceil((BULK_PER_SECOND_BESIDE_EXPRESS * BURSTING_PAUSE_BESIDE_EXPRESS_MS) / 1_000),
};

/** Longer, a changed webhook gets requests for its old address. */
export const CLAIMED_ATTEMPT_FRESH_MS = 100;

/** Delays an event whose bell is missed. */
export const RELAY_POLL_MS = 250;

/** Pause while another relay holds the events or the queue has no room. Without it the relay spins. */
export const RELAY_RETRY_MS = 15;

/** Larger jobs share work unevenly. */
export const MAX_DELIVERIES_PER_JOB = 50;

/** Less than a second of work per worker. More delays the last jobs. */
export const MAX_BULK_JOBS = 40;

/** Without it a backlog fills Redis. */
export const MAX_QUEUED_JOBS = 5_000;

/** Without it every event reads the queue size. */
export const QUEUE_SIZE_FRESH_MS = 50;

/** A refresh corrects the size before a half-empty queue can fill. */
export const QUEUE_SIZE_FRESH_WITH_ROOM_MS = 500;

/** Without it single events read the size. */
export const QUEUE_SIZE_FRESH_WHILE_QUIET_MS = QUEUE_SIZE_FRESH_WITH_ROOM_MS / 2;

/** Higher, all processes together could fill the queue unseen. */
export const LITTLE_ADDED_SHARE = 1 / 8;

/** More would block the event loop. */
export const JOBS_PER_ADD = 25;

/** Smaller rounds cost more. */
export const FEED_BATCH = 500;

/** A probe and the next delivery. With one, a recovered receiver idles. */
export const MAX_QUEUED_PER_SLOW_WEBHOOK = 2;

/** Delays a retry, and pauses a backlog. */
export const FEED_IDLE_MS = 250;
export const FEED_BUSY_MS = 25;

/** Shorter, the lease could expire before it is renewed. */
export const LEASE_MARGIN_MS = 3_000;

export const WORK_PERMIT_CHECK_MS = 50;

/** Shorter, most deliveries would cost a renewal. */
export const LEASE_RENEW_AFTER_MS = 1_000;
export const LEASE_RENEW_EVERY_MS = 1_000;

/** Longer, deliveries of a lost queue wait for their leases. */
export const QUEUE_LOSS_CHECK_MS = 250;

/** Shorter, the release of all deliveries overwrites claims. */
export const RECLAIM_DELAY_MS = 300;

/** Earlier, running deliveries of a lost queue are sent twice. */
export const RELEASED_DUE_AFTER_MS = 1_500;

/** Shorter, running deliveries are sent twice after an error. */
export const FEEDER_ERROR_PAUSE_MS = 2_000;

/** Larger batches hold locks longer. */
export const ATTEMPTS_PER_BATCH = 200;
/** Without it, few attempts share a statement. */
export const LOAD_LINGER_MS = 1;
export const RECORD_LINGER_MS = 4;

/** Attempts share a commit. The receivers already have the events. */
export const EXPRESS_RECORD_MIN_BATCH = { items: 8, withinMs: 15 };

/** More would delay new events and other replays. */
export const MAX_DUE_PER_REPLAY = 200;

/** Without it, other replays get no turns. */
export const REPLAY_STEP_PAUSE_MS = 50;

/** Pause while deliveries wait for their receiver. */
export const REPLAY_FULL_PAUSE_MS = 250;

export const REPLAY_POLL_MS = 500;
