export { asymmetricKeysOf } from './asymmetric-keys.js';
export { BacklogService, type BacklogState, registerDueGauges } from './backlog.service.js';
export { OWED_LANES, noteBacklog } from './backlog.statements.js';
export { sweepCounts } from './delivery-counts.statements.js';
export { HEARTBEAT_EVERY_MS, WORKER_GONE_AFTER_MS } from './heartbeat.js';
export { readWorkerVersions } from './heartbeat.statements.js';
export {
  type ClaimSummary,
  type ClaimedDelivery,
  LATE_AFTER_MS,
  claimEvents,
  RELAYED,
  leaveToRelay,
  readLateEvents,
} from './ledger/claim.statements.js';
export {
  type AttemptRef,
  LEASE_MS,
  type LeaseRequest,
  extendLeases,
  giveBack,
  giveBackAll,
  leaseDue,
} from './ledger/lease.statements.js';
export { cancelOwed, cancelOwedBefore, makeDue, owe, oweAgain, sweepOutbox } from './ledger/owe.statements.js';
export {
  type AttemptRecord,
  type FirstRecord,
  recordAttempts,
  recordFirstAttempts,
} from './ledger/record.statements.js';
export {
  type DueReplay,
  countRange,
  lockReplayedWebhook,
  oweRange,
  saveReplay,
  sweepReplays,
  takeDueReplay,
} from './ledger/replay-steps.statements.js';
export type { DeliveryGroup, DeliveryJob, EventJob, QueueKind, QueuedDelivery } from './queue/delivery-job.js';
export { DeliveryQueue, MAX_QUEUED } from './queue/delivery-queue.js';
export { type EventContent, EventContentService } from './queue/event-content.service.js';
export { BURST, ExpressAllowance, costOf } from './queue/express-allowance.js';
export { HandOverService } from './queue/hand-over.service.js';
export { type QueueState, RedisRefuses, evictionFault, inspectRedis } from './queue/redis-inspection.js';
export { replayedSql, statesToReplay } from './replay-choice.js';
export type { AbandonedAttempt, AttemptOutcome, NextStep } from './retry-policy.js';
export { IDEMPOTENCY_KEPT_DAYS, nextStep } from './retry-policy.js';
export {
  type AsymmetricKey,
  type SignedRequest,
  newWebhookSecret,
  signatureHeaders,
  webhookSecretFault,
  withoutSignature,
} from './signature.js';
export { markSlow } from './webhook-health.statements.js';
