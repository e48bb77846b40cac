import { LEASE_MS } from '#libs/webhooks';
import { availableCores } from '../../available-cores.js';

export { LEASE_MS };

// Dependent numbers are computed; limits.spec.ts checks the other relations.

/** Express deliveries of an account at once. Higher, a burst delays express of other accounts. */
export const EXPRESS_BURST = 50;

/** Per second and account. Lower, steady traffic becomes bulk. */
export const EXPRESS_REFILL_PER_SECOND = 200;

/** In events, while no other account sends. Higher, little of a small machine is left to the API. */
export const EXPRESS_EVENTS_PER_SECOND_ALONE = 300;

/** Tokens at which a bursting account returns to express. Lower, it switches back and forth within a burst. */
export const EXPRESS_RECOVERED = EXPRESS_BURST / 2;

/** Bounds memory. A forgotten account starts with a full bucket. */
export const MAX_REMEMBERED_ACCOUNTS = 10_000;

/** One round of the relay. Longer, it delays events committed in the meantime. */
export const CLAIM_LIMITS = {
  accounts: 200,
  events: 250,
  /** Above the burst, or the first round would not reveal a bursting account. */
  eventsPerAccount: EXPRESS_BURST + 10,
  webhooks: 1_000,
  /** Queued even without room for bulk, or bulk would delay express. */
  expressPerAccount: EXPRESS_BURST,
};

/** A round for bursting accounts. Smaller rounds cost more. */
export const BURSTING_CLAIM_LIMITS = { ...CLAIM_LIMITS, events: 1_000, eventsPerAccount: 1_000, expressPerAccount: 0 };

/** Bulk runs without limits after this pause of express. Shorter, bulk delays the next event. */
export const EXPRESS_IDLE_AFTER_MS = 1_000;

/**
 * Per second and process, beside express. Higher, express waits for CPU time. A limit on concurrency would starve bulk
 * to slow receivers.
 */
export const BULK_PER_SECOND_BESIDE_EXPRESS = 400 * availableCores();

/** Between rounds for bursting accounts. Shorter delays express; longer starves bulk. */
export const BURSTING_PAUSE_BESIDE_EXPRESS_MS = 60;

/** What one process starts until the next round. More fills the room for bulk at once. */
export const BURSTING_CLAIM_LIMITS_BESIDE_EXPRESS = {
  ...BURSTING_CLAIM_LIMITS,
  events: Math.ceil((BULK_PER_SECOND_BESIDE_EXPRESS * BURSTING_PAUSE_BESIDE_EXPRESS_MS) / 1_000),
};

/** Longer, a changed webhook gets requests for its old address. */
export const CLAIMED_ATTEMPT_FRESH_MS = 100;
export const MAX_CACHED_CLAIMED_ATTEMPTS = 1_000;

/** The delay of an event when the bell is missed. */
export const RELAY_POLL_MS = 250;

/** While another relay holds the events, or there is no room. Without it the relay spins. */
export const RELAY_RETRY_MS = 15;

/** Larger jobs gain nothing and share work unevenly. */
export const MAX_DELIVERIES_PER_JOB = 50;

/** With fewer jobs, one worker takes all express deliveries. */
export const EXPRESS_JOBS_PER_BATCH = 8;

/** Waiting jobs per worker, less than a second of work. More delays the last ones. */
export const MAX_BULK_JOBS = 40;

/** Without it a backlog fills the memory of Redis. */
export const MAX_QUEUED_JOBS = 5_000;

/** Maximum age of the known queue size. Without it every event costs a round trip. */
export const QUEUE_SIZE_FRESH_MS = 50;

/** While less than half full: a concurrent refresh corrects the size before it can fill. */
export const QUEUE_SIZE_FRESH_WITH_ROOM_MS = 500;

/** While little is added. Without it single events have the size read. */
export const QUEUE_SIZE_FRESH_WHILE_QUIET_MS = QUEUE_SIZE_FRESH_WITH_ROOM_MS / 2;

/** Higher, all processes together could fill the queue unseen. */
export const LITTLE_ADDED_SHARE = 1 / 8;

/** Jobs per round trip. More would block the event loop. */
export const JOBS_PER_ADD = 25;

/** Deliveries per round of the feeder. Smaller rounds cost more. */
export const FEED_BATCH = 500;

/** Webhooks per round of the feeder. Bounds its statement. */
export const FEED_PAGE_WEBHOOKS = 500;

/** A probe and the next delivery. With one, a recovered receiver idles until the next round. */
export const MAX_QUEUED_PER_SLOW_WEBHOOK = 2;

/** The delay of a retry while nothing else is due, and the pause of a round with a backlog. */
export const FEED_IDLE_MS = 250;
export const FEED_BUSY_MS = 25;

/** With less time left, the lease could expire before it is renewed. */
export const LEASE_MARGIN_MS = 3_000;

/** Clock skew to PostgreSQL. Receivers refuse signatures whose time is minutes off. */
export const MAX_SKEW_MS = LEASE_MS;

export const WORK_PERMIT_CHECK_MS = 50;

/** Shorter, most deliveries would cost a renewal. */
export const LEASE_RENEW_AFTER_MS = 1_000;
export const LEASE_RENEW_EVERY_MS = 1_000;

/** Longer, deliveries of a lost queue wait for their leases. */
export const QUEUE_LOSS_CHECK_MS = 250;

/** Shorter, the worker that releases all deliveries overwrites others’ claims. */
export const RECLAIM_DELAY_MS = 300;

/** Earlier, running deliveries of a lost queue are sent twice. */
export const RELEASED_DUE_AFTER_MS = 1_500;

/** After an error of PostgreSQL. Shorter, running deliveries are sent twice. */
export const FEEDER_ERROR_PAUSE_MS = 2_000;

/** Shorter, limits toggle between single events. */
export const MIXED_TRAFFIC_MS = 500;

/** Average step time of a busy process. Higher, a burst delays express. */
export const BUSY_STEP_MS = 30;
export const BUSY_STEP_BESIDE_EXPRESS_MS = 6;

/** Attempts per statement. Larger batches hold locks longer. */
export const ATTEMPTS_PER_BATCH = 200;
/** Without the wait, few attempts share a statement. */
export const LOAD_LINGER_MS = 1;
export const RECORD_LINGER_MS = 4;

/**
 * A smaller batch of express waits up to `withinMs`, so that several attempts share a commit. The receivers already
 * have the events.
 */
export const EXPRESS_RECORD_MIN_BATCH = { items: 8, withinMs: 15 };

/** Share of the slots. Higher, a low concurrency waits for itself. */
export const MAX_SLOTS_WAITING_FOR_MIN_BATCH = 1 / 4;

/** See nextConcurrency. */
export const CONCURRENCY_FACTORS = { inUse: 0.9, shrink: 0.85, growSlowly: 1.1, grow: 1.3 };

/** Without it, a busy moment stops bulk. */
export const MIN_CONCURRENCY = 32;
export const MIN_CONCURRENCY_BESIDE_EXPRESS = 16;

/** Before anything was measured. */
export const FIRST_CONCURRENCY = 100;

/** Loading and recording cost per batch. Above the minimum concurrency, a group would not fit. */
export const PACER_GROUP_SIZE = MIN_CONCURRENCY_BESIDE_EXPRESS;

/** Share of the concurrency that waits in this process. Without it, slots idle between jobs. */
export const BULK_PREFETCH_SHARE = 0.25;

/** Without it, receivers that hang exhaust memory. */
export const MAX_SLOW_REQUESTS = 2_000;

/** For a receiver that has never answered. More would be lost if it never does. */
export const INITIAL_RECEIVER_LIMIT = 8;

/** After a time-out. */
export const PROBE_RECEIVER_LIMIT = 1;

/** Of all workers, for a host that has never answered. */
export const INITIAL_HOST_LIMIT = 100;

/** Above it the rate of a host is limited. Higher, many accounts together flood one service. */
export const MANY_WEBHOOKS_OF_HOST = 50;

/** How long a webhook counts as active. */
export const HOST_CROWD_MS = 5_000;

/** Initial burst for a host, in seconds of its rate. */
export const HOST_BURST_SECONDS = 0.5;

/** Shorter periods see too few responses. */
export const HOST_PACE_PERIOD_MS = 500;

/** Share of accepted requests. Lower, a host at its limit is pushed further. */
export const HOST_GOOD_SHARE = 0.9;

/** Factors of the initial rate. */
export const HOST_PACE_FACTORS = { min: 1 / 8, max: 1_024 };

/** Periods without pressure, after which the rate returns halfway to its start. */
export const HOST_PACE_CALM_PERIODS = 20;

/** Longer, waiting deliveries lose their leases. */
export const HOST_WAIT_MS = 2_000;
export const MAX_WAITING_FOR_HOST = 250;

/** Waiting deliveries are loaded, so this bounds memory. */
export const MAX_WAITING_FOR_HOSTS = 500;

/** Saves parsing a URL for each delivery. */
export const MAX_REMEMBERED_URLS = 10_000;

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

/** A slower request frees its slot, or receivers that hang would use up all slots. */
export const PROMPT_WITHIN_MS = 500;

/** Slower requests continue under their leases, or they would block the queue. */
export const MAX_JOB_MS = PROMPT_WITHIN_MS;

/** Without a response for this long, or twice the usual time, a receiver is silent. */
export const SILENT_AFTER_MS = 1_000;

/** Of the last response, in the average response time. */
export const ANSWER_TIME_WEIGHT = 1 / 8;

export const SILENT_RECEIVER_PAUSE_MS = SILENT_AFTER_MS;

export const RECEIVER_CHECK_MS = 100;

export const JOB_INTAKE_CHECK_MS = 100;

/** Shorter, a slow receiver fills slots again and again. */
export const RECEIVER_SLOW_FOR_MS = 30_000;

/** More would delay new events and other replays. */
export const MAX_DUE_PER_REPLAY = 200;

/** Without it, other replays get no turns. */
export const REPLAY_STEP_PAUSE_MS = 50;

/** While deliveries wait for their receiver. */
export const REPLAY_FULL_PAUSE_MS = 250;

export const REPLAY_POLL_MS = 500;
