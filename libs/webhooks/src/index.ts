export { AccessRevocationService } from './access-revocation.service.js';
export { type AbandonedAttempt, type AttemptOutcome, FAILURE_CODES, type FailureCode } from './attempt-outcome.js';
export { type AsymmetricKey, asymmetricKeysOf } from './asymmetric-keys.js';
export { type NextStep, nextStep } from './retry-policy.js';
export {
  type SignedRequest,
  newWebhookSecret,
  signatureHeaders,
  webhookSecretFault,
  withoutSignature,
} from './signature.js';
export { type DisableRequest, WebhookDisablingService } from './webhook-disabling.service.js';
export {
  DISABLE_AFTER_FAILED_DELIVERIES,
  DISABLE_AFTER_FAILING_MS,
  markSlow,
  webhookHealth,
} from './webhook-health.js';
export { cancelOwedBefore } from './ledger/cancel.js';
export {
  type BroughtDelivery,
  type ClaimLimits,
  type ClaimRequest,
  type ClaimSummary,
  type ClaimedDelivery,
  type ClaimedEvents,
  claimEvents,
} from './ledger/claim-events.js';
export {
  type AttemptRef,
  LEASE_MS,
  type LeaseRequest,
  type LeasedDeliveries,
  extendLeases,
  giveBack,
  giveBackAll,
  leaseDue,
} from './ledger/lease.js';
export { sweepCounts } from './counts/count-attempts.js';
export { noteBacklog } from './counts/note-backlog.js';
export { OWED_LANES } from './owed-lanes.js';
export { registerDueGauges } from './due-gauges.js';
export { HEARTBEAT_EVERY_MS, WORKER_GONE_AFTER_MS } from './worker-heartbeats.js';
export { type AttemptRecord, recordAttempts } from './ledger/record-attempts.js';
export { countRange, oweRange } from './ledger/owe-range.js';
export { type DueReplay, lockReplayedWebhook, saveReplay, sweepReplays, takeDueReplay } from './ledger/replays.js';
export { sweepOutbox } from './ledger/sweep.js';
export { makeDue } from './ledger/make-due.js';
export { checkWebhookUrl, hostOfUrl } from './webhook-url.js';
export { BacklogService, type BacklogState, type LiveWorker } from './backlog.service.js';
export { WebhooksModule } from './webhooks.module.js';
export { DeliveriesService, type DeliveryDetails } from './deliveries.service.js';
export { type DeliveryQuery } from './delivery-list.js';
export { EventFeedService, type FeedQuery } from './event-feed.service.js';
export { type NewReplay, type NewReplays, type StartedReplays, ReplayStartsService } from './replay-starts.service.js';
export { ReplaysService } from './replays.service.js';
export { type PreviewedWebhook, type ReplayPreview } from './replay-preview.js';
export {
  type AccountTraffic,
  type BacklogHour,
  TrafficService,
  type WebhookTraffic,
} from './counts/traffic.service.js';
export {
  type OwedCount,
  type Traffic,
  type TrafficCount,
  type TrafficHour,
  acceptedPercent,
  attemptsOf,
  averageMs,
  inSpansOf,
} from './counts/traffic-hours.js';
export { type WebhookOwner } from './webhook-owner.js';
export { type LiveSecret, WebhookSecretsService, deleteReplacedSecrets } from './webhook-secrets.service.js';
export {
  type NewWebhook,
  type WantedWebhooks,
  type WebhookChanges,
  type WebhookQuery,
  WebhooksService,
} from './webhooks.service.js';
export { WebhookKeysService } from './webhook-keys.service.js';
export { DeliveryQueue, type QueueSize } from './queue/delivery-queue.js';
export type { DeliveryGroup, QueueKind, QueuedDelivery } from './queue/delivery-job.js';
export type { BullWorker } from './queue/queue-backend.js';
export { OperatorReplaysService, type ReplayProgress } from './operating/operator-replays.service.js';
export { type OperatorWebhook, OperatorWebhooksService } from './operating/operator-webhooks.service.js';
export { SEALED_WEBHOOK_SECRETS } from './operating/sealed-webhook-secrets.js';
export { type QueueState, RedisRefuses, evictionFault, inspectRedis } from './queue/queue-state.js';
