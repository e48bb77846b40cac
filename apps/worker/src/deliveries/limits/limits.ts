import { LEASE_MS } from '#libs/webhooks';
import { availableCores } from '../../available-cores.js';

export { LEASE_MS };

// The numbers that decide which delivery goes when. A number that follows from another is computed from it, and
// limits.spec.ts holds the rest to their relations.

/** Deliveries that an account may have go express at once. Whoever has more is bursting, and is in no hurry with any of it. */
export const EXPRESS_BURST = 50;

/** Deliveries per second and account that stay express. */
export const EXPRESS_REFILL_PER_SECOND = 200;

/**
 * The same, in events, for an account while no other one sends: its express keeps nobody waiting. Beyond that, bulk leaves more
 * of a small machine to the API.
 */
export const EXPRESS_EVENTS_PER_SECOND_ALONE = 300;

/** A bursting account goes express again once it has been quiet for as long as this many deliveries take to refill. */
export const EXPRESS_RECOVERED = EXPRESS_BURST / 2;

/** Accounts whose allowance is remembered, which bounds memory. A forgotten account starts with a full one. */
export const MAX_REMEMBERED_ACCOUNTS = 10_000;

/** One round of the relay. It is short, so that an event committed meanwhile does not wait long for the next one. */
export const CLAIM_LIMITS = {
  accounts: 200,
  events: 250,
  /** More than an account’s burst, so that the first round already shows that it is bursting. */
  eventsPerAccount: EXPRESS_BURST + 10,
  webhooks: 1_000,
  /** Deliveries of one account that are queued at once even while the queue has no room for bulk. */
  expressPerAccount: EXPRESS_BURST,
};

/** A round for bursting accounts. When nobody else sends, it keeps nobody waiting, and larger is cheaper. */
export const HEAVY_CLAIM_LIMITS = { ...CLAIM_LIMITS, events: 1_000, eventsPerAccount: 1_000, expressPerAccount: 0 };

/** How long after the last express delivery the others count as silent. */
export const EXPRESS_IDLE_AFTER_MS = 1_000;

/**
 * Bulk deliveries that one process starts in a second while express comes too. It bounds how long others wait for
 * processor time, here and in PostgreSQL. A bound on deliveries in flight would starve the bulk of slow receivers.
 */
export const BULK_PER_SECOND_BESIDE_EXPRESS = 400 * availableCores();

/** Between two rounds for bursting accounts while express comes too. */
export const HEAVY_PAUSE_BESIDE_EXPRESS_MS = 60;

/** Such a round brings what one process starts until the next one. If more came, it would fill the room for bulk at once. */
export const HEAVY_CLAIM_LIMITS_BESIDE_EXPRESS = {
  ...HEAVY_CLAIM_LIMITS,
  events: Math.ceil((BULK_PER_SECOND_BESIDE_EXPRESS * HEAVY_PAUSE_BESIDE_EXPRESS_MS) / 1_000),
};

/** How long what a claim brought along is used. A webhook that is changed meanwhile gets what was on its way already. */
export const BROUGHT_FRESH_MS = 100;
export const MAX_BROUGHT_KEPT = 1_000;

/** How long an event waits for the relay at most when the bell is not heard. */
export const RELAY_POLL_MS = 250;

/** The pause when there are events, but another relay holds them or the queue has no room for them. */
export const RELAY_RETRY_MS = 15;

/** Most of a job’s cost does not depend on its size. Larger jobs would gain nothing and share work unevenly. */
export const MAX_DELIVERIES_PER_JOB = 50;

/** A few express deliveries are spread over this many jobs, so that several workers can take them. */
export const EXPRESS_JOBS_PER_BATCH = 8;

/** Waiting bulk jobs for each worker: less than a second of work, so that the last one does not wait long. */
export const MAX_BULK_JOBS = 40;

/** Waiting jobs of both kinds. It bounds the memory of Redis, whatever is owed. */
export const MAX_QUEUED_JOBS = 5_000;

/** How old the known size of the queue may be. A process counts what it adds itself. */
export const QUEUE_SIZE_FRESH_MS = 50;

/** The same while it was less than half full: whoever fills it in this time is told by the size that is read meanwhile. */
export const QUEUE_SIZE_FRESH_WITH_ROOM_MS = 500;

/** While it had room and the process adds little, the size is not even read before this. */
export const QUEUE_SIZE_FRESH_WHILE_QUIET_MS = QUEUE_SIZE_FRESH_WITH_ROOM_MS / 2;

/** Little is less than this share of what a process may add. So all of them add no more than this share of the bounds unseen. */
export const LITTLE_ADDED_SHARE = 1 / 8;

/** Jobs per round trip to the queue. Preparing jobs blocks the process, so many are added in steps. */
export const JOBS_PER_ADD = 25;

/** Deliveries that the feeder leases in one round. A backlog is taken in whole rounds, not bit by bit. */
export const FEED_BATCH = 500;

/** Webhooks that the feeder looks at in one round. More of them take more rounds. */
export const FEED_PAGE_WEBHOOKS = 500;

/** Deliveries in the queue for a webhook whose receiver is slow: a probe, and the next one behind it. */
export const MAX_QUEUED_PER_SLOW_WEBHOOK = 2;

export const FEED_IDLE_MS = 250;
export const FEED_BUSY_MS = 25;

/** An attempt starts only with this much of its lease left: time enough for the renewer. */
export const LEASE_MARGIN_MS = 3_000;

/**
 * How far the clock of a worker may be from that of PostgreSQL. Leases are by the latter, so it is for what it tells others:
 * receivers go by the times in signatures, and refuse those that are minutes off.
 */
export const MAX_SKEW_MS = LEASE_MS;

/** How often a worker that may take no work looks whether it may. */
export const WORK_PERMIT_CHECK_MS = 50;

/** Most deliveries end before this; only the others cost a write. */
export const LEASE_RENEW_AFTER_MS = 1_000;
export const LEASE_RENEW_EVERY_MS = 1_000;

/** How often a worker checks whether the queue lost its memory. */
export const QUEUE_LOSS_CHECK_MS = 250;

/** The worker that noticed first releases everything. The others wait, or their claims would be overwritten. */
export const RECLAIM_DELAY_MS = 300;

/** When a lost queue’s deliveries are due again: after every worker has said what it still works on. */
export const RELEASED_DUE_AFTER_MS = 1_500;

/** After an error of PostgreSQL the feeder waits for the workers to record and reclaim what they have. */
export const FEEDER_ERROR_PAUSE_MS = 2_000;

/** Bulk and express count as mixed while both came within this time. */
export const MIXED_TRAFFIC_MS = 500;

/** What loading or recording takes while the process and PostgreSQL have room, with the time spent filling a batch. */
export const BUSY_STEP_MS = 30;
export const BUSY_STEP_BESIDE_EXPRESS_MS = 6;

/** Attempts that are loaded or recorded in one statement. */
export const ATTEMPTS_PER_BATCH = 200;
/** How long the first attempt of a batch waits for others. */
export const LOAD_LINGER_MS = 1;
export const RECORD_LINGER_MS = 4;

/**
 * Fewer express attempts than so many wait for company this long in all. Their receivers have the event, so nobody waits for
 * it, and of a few hundred single events a second several share a commit.
 */
export const EXPRESS_RECORD_COMPANY = { items: 8, withinMs: 15 };

/** The share of the slots that may wait for company. */
export const SLOTS_WAITING_FOR_COMPANY = 1 / 4;

/** How the bulk concurrency of a process changes several times a second; see nextConcurrency. */
export const CONCURRENCY_FACTORS = { inUse: 0.9, shrink: 0.85, growSlowly: 1.1, grow: 1.3 };

/** Bulk deliveries that a process works on at least, when its own steps are slow. */
export const MIN_CONCURRENCY = 32;
export const MIN_CONCURRENCY_BESIDE_EXPRESS = 16;

/** The bulk concurrency of a process that has just started and measured nothing. */
export const FIRST_CONCURRENCY = 100;

/** Paced deliveries start in groups, because loading and recording cost by the batch. The least concurrency is one group. */
export const PACER_GROUP_SIZE = MIN_CONCURRENCY_BESIDE_EXPRESS;

/** Bulk deliveries that wait in this process, so that there is always a next one, as a share of its concurrency. */
export const BULK_PREFETCH_SHARE = 0.25;

/** Requests that may hang beyond the concurrency of a process. It bounds memory however many receivers hang. */
export const MAX_SLOW_REQUESTS = 2_000;

/** Concurrent requests to a receiver that has not answered yet: few, because it may never answer. */
export const INITIAL_RECEIVER_LIMIT = 8;

/** Concurrent requests to a receiver that let one time out. */
export const PROBE_RECEIVER_LIMIT = 1;

/** Concurrent requests of all workers to one host and port before it has answered. Its webhooks share them. */
export const INITIAL_HOST_LIMIT = 100;

/** A host has many webhooks, and its rate is limited, when requests for more than this went there lately. */
export const MANY_WEBHOOKS_OF_HOST = 50;

/** How long a request counts for that. */
export const HOST_CROWD_MS = 5_000;

/** What may start at once at a host with many webhooks, in seconds of the rate at which it begins. */
export const HOST_BURST_SECONDS = 0.5;

/** How often the rate of a host changes. */
export const HOST_PACE_PERIOD_MS = 500;

/** The rate of a host doubles only if it accepts at least this share. */
export const HOST_GOOD_SHARE = 0.9;

/** How far the rate of a host goes from where it begins. */
export const HOST_PACE_FACTORS = { least: 1 / 8, most: 1_024 };

/** After as many periods in which the rate sufficed, or was low and the host did not fail, it goes halfway back. */
export const HOST_PACE_CALM_PERIODS = 20;

/** Deliveries that wait in this process for the turn of their host: as many as get it within this time. */
export const HOST_WAIT_MS = 2_000;
export const MAX_WAITING_FOR_HOST = 250;

/** … and for all hosts together. It bounds memory, because they are loaded already. */
export const MAX_WAITING_FOR_HOSTS = 500;

/** Addresses whose host is remembered, which spares parsing them for each delivery. */
export const MAX_REMEMBERED_URLS = 10_000;

/** How long the others are put off, which would otherwise go round through the queue without end. */
export const PAUSE_MS = {
  least: 1_000,
  /** For a host whose rate may soon rise. */
  most: 30_000,
  /** For a receiver at its maximum, or a host with many webhooks that answers: their rate is known. */
  mostAtKnownRate: 600_000,
};

/** The limits learned for a host or a receiver expire after this long without a request. */
export const LIMITER_FORGOTTEN_AFTER_MS = 60_000;

/** A request that is out for longer gives its slot to another delivery. */
export const PROMPT_WITHIN_MS = 500;

/** A job ends after this at the latest. Slower requests are held by their leases, not by their job. */
export const MAX_JOB_MS = PROMPT_WITHIN_MS;

/** A receiver is silent when requests have been open for this long, or for twice its usual answer time, without an answer. */
export const SILENT_AFTER_MS = 1_000;

/** Weight of the last answer in the average answer time. */
export const ANSWER_TIME_WEIGHT = 1 / 8;

/** How long deliveries to a silent receiver wait: until it could be found silent once more. */
export const SILENT_RECEIVER_PAUSE_MS = SILENT_AFTER_MS;

/** How often receivers are checked for silence and for slow requests. */
export const RECEIVER_CHECK_MS = 100;

/** How often a process checks whether it wants more jobs than BullMQ may fetch. */
export const JOB_INTAKE_CHECK_MS = 100;

/** A slow receiver gets only a probe for this long, or until it answers. While it stays slow, that is noted anew. */
export const RECEIVER_SLOW_FOR_MS = 30_000;

/**
 * Deliveries of one replay that are due at once. New events go to the queue directly, and so before them. A slow or paused
 * receiver delays its own replay and nothing else.
 */
export const MAX_DUE_PER_REPLAY = 200;

/** Between two steps of one replay. Other replays have their turns meanwhile. */
export const REPLAY_STEP_PAUSE_MS = 50;

/** The pause of a replay whose deliveries wait for their receiver. */
export const REPLAY_FULL_PAUSE_MS = 250;

export const REPLAY_POLL_MS = 500;
