import { LEASE_MS } from '#libs/webhooks';
import { availableCores } from '../../available-cores.js';

export { LEASE_MS };

// Which delivery is sent when. Dependent numbers are computed; limits.spec.ts checks the other relations.

/** Express deliveries of an account at once. Without the limit a burst would delay express of other accounts. */
export const EXPRESS_BURST = 50;

/** Express deliveries per second and account. A lower rate would make steady traffic bulk. */
export const EXPRESS_REFILL_PER_SECOND = 200;

/**
 * In events, while no other account sends, so none is delayed. Beyond it, bulk leaves more of a small machine to the
 * API.
 */
export const EXPRESS_EVENTS_PER_SECOND_ALONE = 300;

/** Tokens at which a bursting account returns to express. Lower, it would switch back and forth within a burst. */
export const EXPRESS_RECOVERED = EXPRESS_BURST / 2;

/** Bounds memory. A forgotten account starts with a full bucket. */
export const MAX_REMEMBERED_ACCOUNTS = 10_000;

/** One round of the relay. A longer round would delay events committed in the meantime. */
export const CLAIM_LIMITS = {
  accounts: 200,
  events: 250,
  /** Above the burst, so that the first round reveals a bursting account. */
  eventsPerAccount: EXPRESS_BURST + 10,
  webhooks: 1_000,
  /** Queued at once even while the queue has no room for bulk, so that bulk of others does not delay express. */
  expressPerAccount: EXPRESS_BURST,
};

/** A round for bursting accounts. It delays no other account, and larger rounds are cheaper. */
export const HEAVY_CLAIM_LIMITS = { ...CLAIM_LIMITS, events: 1_000, eventsPerAccount: 1_000, expressPerAccount: 0 };

/** After this pause without express, bulk runs without its limits. */
export const EXPRESS_IDLE_AFTER_MS = 1_000;

/**
 * Bulk deliveries that a process starts per second beside express. Without it, express waits for CPU time here and in
 * PostgreSQL. A limit on concurrency would starve bulk to slow receivers instead.
 */
export const BULK_PER_SECOND_BESIDE_EXPRESS = 400 * availableCores();

/** Between rounds for bursting accounts beside express. Shorter pauses delay express; longer ones starve bulk. */
export const HEAVY_PAUSE_BESIDE_EXPRESS_MS = 60;

/** As many events as one process starts until the next round. More would fill the room for bulk at once. */
export const HEAVY_CLAIM_LIMITS_BESIDE_EXPRESS = {
  ...HEAVY_CLAIM_LIMITS,
  events: Math.ceil((BULK_PER_SECOND_BESIDE_EXPRESS * HEAVY_PAUSE_BESIDE_EXPRESS_MS) / 1_000),
};

/** How long claimed rows are used. Longer, a changed webhook would get requests for its old address. */
export const CLAIMED_ATTEMPT_FRESH_MS = 100;
export const MAX_CACHED_CLAIMED_ATTEMPTS = 1_000;

/** The delay of an event when the bell is missed. */
export const RELAY_POLL_MS = 250;

/** The pause while another relay holds the events or the queue has no room. Without it the relay would spin. */
export const RELAY_RETRY_MS = 15;

/** Most of a job’s cost does not depend on its size. Larger jobs gain nothing and share work unevenly. */
export const MAX_DELIVERIES_PER_JOB = 50;

/** Spreads a few express deliveries over several workers. With one job, one worker would take them all. */
export const EXPRESS_JOBS_PER_BATCH = 8;

/** Waiting bulk jobs per worker, less than a second of work. More would delay the deliveries at the end. */
export const MAX_BULK_JOBS = 40;

/** Waiting jobs of both kinds. Without it a backlog fills the memory of Redis. */
export const MAX_QUEUED_JOBS = 5_000;

/** Maximum age of the known queue size. Without it every event costs a round trip. */
export const QUEUE_SIZE_FRESH_MS = 50;

/** The same while the queue is less than half full: a concurrent refresh corrects the size before it can fill. */
export const QUEUE_SIZE_FRESH_WITH_ROOM_MS = 500;

/** The same while the process adds little. Without it single events would have the size read. */
export const QUEUE_SIZE_FRESH_WHILE_QUIET_MS = QUEUE_SIZE_FRESH_WITH_ROOM_MS / 2;

/** Below this share, what all processes add unseen cannot fill the queue. */
export const LITTLE_ADDED_SHARE = 1 / 8;

/** Jobs per round trip. Preparing more at once would block the event loop. */
export const JOBS_PER_ADD = 25;

/** Deliveries per round of the feeder. Smaller rounds read a backlog at a higher cost. */
export const FEED_BATCH = 500;

/** Webhooks per round of the feeder, which bounds its statement. */
export const FEED_PAGE_WEBHOOKS = 500;

/** A probe and the next delivery. Without the second one, a recovered receiver would idle until the next round. */
export const MAX_QUEUED_PER_SLOW_WEBHOOK = 2;

export const FEED_IDLE_MS = 250;
export const FEED_BUSY_MS = 25;

/** An attempt needs this much of its lease left, or the lease could expire before it is renewed. */
export const LEASE_MARGIN_MS = 3_000;

/** Maximum clock skew to PostgreSQL. Receivers refuse signatures whose time is minutes off. */
export const MAX_SKEW_MS = LEASE_MS;

/** How soon a worker notices that it may take work. */
export const WORK_PERMIT_CHECK_MS = 50;

/** Most deliveries end before this and cost no renewal. */
export const LEASE_RENEW_AFTER_MS = 1_000;
export const LEASE_RENEW_EVERY_MS = 1_000;

/** How soon a worker notices a lost queue. Until then its deliveries wait for their leases. */
export const QUEUE_LOSS_CHECK_MS = 250;

/** The worker that noticed first releases all deliveries. Without the wait, others’ claims would be overwritten. */
export const RECLAIM_DELAY_MS = 300;

/** Deliveries of a lost queue are due after every worker has reclaimed its own. Earlier, they would be sent twice. */
export const RELEASED_DUE_AFTER_MS = 1_500;

/**
 * After an error of PostgreSQL, time for workers to record and reclaim. Without it, running deliveries would be sent
 * twice.
 */
export const FEEDER_ERROR_PAUSE_MS = 2_000;

/** Traffic is mixed if both kinds arrived within this time. Shorter, limits would toggle between single events. */
export const MIXED_TRAFFIC_MS = 500;

/** Average step time above which the process or PostgreSQL is busy. Higher, a burst delays express. */
export const BUSY_STEP_MS = 30;
export const BUSY_STEP_BESIDE_EXPRESS_MS = 6;

/** Attempts per statement. Larger batches lengthen locks. */
export const ATTEMPTS_PER_BATCH = 200;
/** How long the first attempt of a batch waits for others. Without it, few share a statement. */
export const LOAD_LINGER_MS = 1;
export const RECORD_LINGER_MS = 4;

/**
 * A smaller batch of express attempts waits up to `withinMs` in all. The receivers already have the events, so the wait
 * delays nothing, and several attempts share a commit.
 */
export const EXPRESS_RECORD_MIN_BATCH = { items: 8, withinMs: 15 };

/** Share of the slots that may wait for the minimum batch. Without it, a low concurrency would wait for itself. */
export const MAX_SLOTS_WAITING_FOR_MIN_BATCH = 1 / 4;

/** Steps of nextConcurrency, several times a second. */
export const CONCURRENCY_FACTORS = { inUse: 0.9, shrink: 0.85, growSlowly: 1.1, grow: 1.3 };

/** Minimum bulk concurrency. Without it, a busy moment would stop bulk. */
export const MIN_CONCURRENCY = 32;
export const MIN_CONCURRENCY_BESIDE_EXPRESS = 16;

/** The bulk concurrency before anything was measured. */
export const FIRST_CONCURRENCY = 100;

/**
 * Deliveries start in groups, because loading and recording cost per batch. At most the minimum concurrency, or a group
 * would not fit.
 */
export const PACER_GROUP_SIZE = MIN_CONCURRENCY_BESIDE_EXPRESS;

/** Bulk deliveries that wait in this process, as a share of its concurrency. Without them, slots idle between jobs. */
export const BULK_PREFETCH_SHARE = 0.25;

/** Requests that may hang beyond the concurrency. Without it, hanging receivers exhaust memory. */
export const MAX_SLOW_REQUESTS = 2_000;

/** Concurrent requests to a receiver that has never answered. More would be lost if it never does. */
export const INITIAL_RECEIVER_LIMIT = 8;

/** Concurrent requests after a time-out. */
export const PROBE_RECEIVER_LIMIT = 1;

/** Concurrent requests of all workers to a host that has never answered. Its webhooks share them. */
export const INITIAL_HOST_LIMIT = 100;

/**
 * Above this number of active webhooks the rate of a host is limited. Without it, many accounts together could flood
 * one service.
 */
export const MANY_WEBHOOKS_OF_HOST = 50;

/** How long a webhook counts as active. */
export const HOST_CROWD_MS = 5_000;

/** Initial burst for a host with many webhooks, in seconds of its rate. */
export const HOST_BURST_SECONDS = 0.5;

/** How often the rate of a host changes. Shorter periods see too few responses. */
export const HOST_PACE_PERIOD_MS = 500;

/** Share of accepted requests needed to double the rate. Lower, a host at its limit would be pushed further. */
export const HOST_GOOD_SHARE = 0.9;

/** Bounds of the rate, as factors of its start. */
export const HOST_PACE_FACTORS = { least: 1 / 8, most: 1_024 };

/** Periods without pressure after which the rate returns halfway to its start. */
export const HOST_PACE_CALM_PERIODS = 20;

/** Deliveries wait in this process only if the host takes them within this time. Longer, their leases expire. */
export const HOST_WAIT_MS = 2_000;
export const MAX_WAITING_FOR_HOST = 250;

/** Over all hosts. Waiting deliveries are loaded, so this bounds memory. */
export const MAX_WAITING_FOR_HOSTS = 500;

/** Cached hosts of URLs, which saves parsing a URL for each delivery. */
export const MAX_REMEMBERED_URLS = 10_000;

/** How long deliveries beyond a limit are postponed. Without it they would circle through the queue. */
export const PAUSE_MS = {
  least: 1_000,
  /** For a host whose rate may soon rise. */
  most: 30_000,
  /** For a receiver or host whose rate is known. */
  mostAtKnownRate: 600_000,
};

/** Learned limits expire after this long without a request. Without it they fill memory. */
export const LIMITER_FORGOTTEN_AFTER_MS = 60_000;

/** A slower request frees its slot. Without it, hanging receivers would use up all slots. */
export const PROMPT_WITHIN_MS = 500;

/** Maximum duration of a job. Slower requests continue under their leases, so they do not block the queue. */
export const MAX_JOB_MS = PROMPT_WITHIN_MS;

/** A receiver is silent after this long, or twice its usual response time, without a response. */
export const SILENT_AFTER_MS = 1_000;

/** Weight of the last response in the average response time. */
export const ANSWER_TIME_WEIGHT = 1 / 8;

/** How long deliveries to a silent receiver wait. */
export const SILENT_RECEIVER_PAUSE_MS = SILENT_AFTER_MS;

/** How often silent receivers and slow requests are looked for. */
export const RECEIVER_CHECK_MS = 100;

/** How often a process checks whether BullMQ may fetch more jobs. */
export const JOB_INTAKE_CHECK_MS = 100;

/**
 * A slow receiver gets only probes for this long, or until it answers. Shorter, it would fill slots again and again.
 */
export const RECEIVER_SLOW_FOR_MS = 30_000;

/** Due deliveries per replay. More would delay new events, and a slow receiver would delay other replays. */
export const MAX_DUE_PER_REPLAY = 200;

/** Between two steps of one replay, so that other replays get their turns. */
export const REPLAY_STEP_PAUSE_MS = 50;

/** The pause of a replay whose deliveries wait for their receiver. */
export const REPLAY_FULL_PAUSE_MS = 250;

export const REPLAY_POLL_MS = 500;
