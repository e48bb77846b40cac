export { DeliveriesService } from './deliveries.service.js';
export { ReplayStartsService, type StartedReplays } from './replay-starts.service.js';
export { EventFeedService } from './event-feed.service.js';
export { LATEST_EVENT } from './event.statements.js';
export { OperatorWebhooksService } from './operator-webhooks.service.js';
export {
  DISABLE_AFTER_FAILED_DELIVERIES,
  DISABLE_AFTER_FAILING_MS,
  WebhookDisablingService,
  disabledAt,
} from './webhook-disabling.service.js';
export { AccessRevocationService } from './access-revocation.service.js';
export { OperatorReplaysService } from './operator-replays.service.js';
export type { NewReplays, ReplayPreview } from './replay-preview.statements.js';
export { FAILING_AFTER_MS, TrafficService, acceptedPercent, averageMs, inSpansOf } from './traffic.service.js';
export {
  type AccountTraffic,
  type BacklogHour,
  type OwedCount,
  type TrafficCount,
  type TrafficHour,
  type WebhookTraffic,
} from './traffic.statements.js';
export { takesFilter } from './webhook-filter.js';
export type { Authentication, SealedHeaders } from './webhook-headers.js';
export { type WebhookOwner } from './webhook-owner.js';
export { SEALED_WEBHOOK_SECRETS, deleteReplacedSecrets } from './webhook-secret.statements.js';
export { WebhookSecretsService } from './webhook-secrets.service.js';
export { type OperatorWebhook } from './operator-webhook.statements.js';
export { disableWebhooksOfExpired, noteRecovered, warnOfFailing } from './webhook-endings.statements.js';
export { WebhooksModule } from './webhooks.module.js';
export { WebhooksService } from './webhooks.service.js';
