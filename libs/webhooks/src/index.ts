export { AccessRevocationService } from './access-revocation.service.js';
export { FAILURE_CODES } from './attempt-outcome.js';
export type {
  AbandonedAttempt,
  ReceiverResponse,
  UnsuccessfulResponse,
  SuccessfulResponse,
  FailedRequest,
  FailureCode,
  AttemptOutcome,
} from './attempt-outcome.js';
export { nextStep } from './retry-policy.js';
export type { AttemptResult, NextStep } from './retry-policy.js';
export { newWebhookSecret, signatureHeaders, withoutSignature } from './signature.js';
export type { SignedRequest } from './signature.js';
export { type DisableRequest, WebhookDisablingService } from './webhook-disabling.service.js';
export { DISABLE_AFTER_FAILING_MS, DISABLE_AFTER_FAILED_DELIVERIES, webhookHealth } from './webhook-health.js';
export type { FailureHistory } from './webhook-health.js';
export { markSlow } from './slow-webhooks.js';
export { cancelOwedBefore } from './ledger/cancel.js';
export {
  type ClaimLimits,
  type ClaimRequest,
  type ClaimRow,
  type ClaimedDelivery,
  claimEvents,
} from './ledger/claim-events.js';
export {
  type AttemptRef,
  type FeedRow,
  type LeaseRequest,
  extendLeases,
  giveBack,
  giveBackAll,
  leaseDue,
} from './ledger/lease.js';
export { type AttemptRecord, recordAttempts } from './ledger/record-attempts.js';
export { countRange, oweRange } from './ledger/owe-range.js';
export { type DueReplay, lockReplayedWebhook, saveReplay, sweepReplays, takeDueReplay } from './ledger/replays.js';
export { sweepOutbox } from './ledger/sweep.js';
export { checkWebhookUrl } from './webhook-url.js';
export type { CheckedUrl, InvalidUrl, InvalidUrlCode } from './webhook-url.js';
export {
  BacklogService,
  type BacklogState,
  MAX_COUNTED_OWED,
  type LiveWorker,
  OWED_STATUSES,
  type OwedStatus,
} from './backlog.service.js';
export { type SealedValue, SecretBox } from './secret-box.js';
export { WebhooksModule } from './webhooks.module.js';
export { DeliveriesService, type DeliveryDetails } from './deliveries.service.js';
export { type DeliveryQuery } from './delivery-list.js';
export { EventFeedService, type FeedPage, type FeedQuery } from './event-feed.service.js';
export { type NewReplay, ReplaysService } from './replays.service.js';
export { TestEventsService } from './test-events.service.js';
export { type WebhookOwner } from './webhook-owner.js';
export { type LiveSecret, WebhookSecretsService, deleteReplacedSecrets } from './webhook-secrets.service.js';
export { type NewWebhook, type WebhookChanges, type WebhookQuery, WebhooksService } from './webhooks.service.js';
export { DeliveryQueue, type QueueSize } from './queue/delivery-queue.js';
export { type DeliveryGroup, QUEUE_KINDS, type QueueKind, type QueuedDelivery } from './queue/delivery-job.js';
export type { BullWorker, QueueGeneration } from './queue/queue-backend.js';
export {
  OperatorWebhooksService,
  type OperatorWebhook,
  type WebhookSearch,
} from './operating/operator-webhooks.service.js';
export { RedriveService } from './operating/redrive.service.js';
export { type RedriveScope } from './ledger/make-due.js';
export { type SecretsKeyUsage, SealedSecretsService } from './operating/sealed-secrets.service.js';
export { type QueueState, inspectRedis } from './queue/queue-state.js';
