export {
  BacklogService,
  type BacklogState,
  HEARTBEAT_EVERY_MS,
  WORKER_GONE_AFTER_MS,
  registerDueGauges,
} from './backlog.service.js';
export { OWED_LANES, noteBacklog } from './backlog.statements.js';
export { TrafficService, acceptedPercent, averageMs, inSpansOf } from './counts/traffic.service.js';
export {
  type AccountTraffic,
  type BacklogHour,
  type OwedCount,
  type TrafficHour,
  type WebhookTraffic,
} from './counts/traffic.statements.js';
export { sweepCounts } from './counts/delivery-counts.statements.js';
export { DeliveriesService, ReplayStartsService, type StartedReplays } from './deliveries.service.js';
export { EventFeedService } from './event-feed.service.js';
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
export { cancelOwedBefore, makeDue, sweepOutbox } from './ledger/owe.statements.js';
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
export {
  OperatorReplaysService,
  OperatorWebhooksService,
  AccessRevocationService,
  DISABLE_AFTER_FAILED_DELIVERIES,
  DISABLE_AFTER_FAILING_MS,
  WebhookDisablingService,
} from './operator-webhooks.service.js';
export type { BullWorker } from './queue/bullmq-internals.js';
export type { DeliveryGroup, DeliveryJob, EventJob, QueueKind, QueuedDelivery } from './queue/delivery-job.js';
export { DeliveryQueue, MAX_QUEUED, type QueueSize } from './queue/delivery-queue.js';
export { type EventContent, EventContentService } from './queue/event-content.service.js';
export { BURST, ExpressAllowance, costOf } from './queue/express-allowance.js';
export { HandOverService } from './queue/hand-over.service.js';
export { type QueueState, RedisRefuses, evictionFault, inspectRedis } from './queue/redis-inspection.js';
export type { NewReplays, ReplayPreview } from './replay-preview.statements.js';
export {
  type AbandonedAttempt,
  type AttemptOutcome,
  FAILURE_CODES,
  type FailureCode,
  type NextStep,
  nextStep,
} from './retry-policy.js';
export {
  type AsymmetricKey,
  type SignedRequest,
  newWebhookSecret,
  signatureHeaders,
  webhookSecretFault,
  withoutSignature,
} from './signature.js';
export { type WebhookOwner } from './webhook-owner.js';
export { SEALED_WEBHOOK_SECRETS, deleteReplacedSecrets } from './webhook-secret.statements.js';
export { asymmetricKeysOf } from './asymmetric-keys.js';
export { WebhookSecretsService } from './webhook-secrets.service.js';
export { checkWebhookUrl, hostOfUrl } from './webhook-url.js';
export { type DisableRequest, type OperatorWebhook } from './webhook.statements.js';
export { markSlow } from './webhook-health.statements.js';
export { WebhooksModule } from './webhooks.module.js';
export { type NewWebhook, WebhooksService } from './webhooks.service.js';
