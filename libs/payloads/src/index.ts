export type { Change, CopiedRecord } from './change.payload.js';
export { DownloadTokens } from './download-tokens.js';
export {
  EVENT_KINDS,
  type EventKind,
  type KindOfEvent,
  type SubjectOf,
  isEventKind,
  serialisePayload,
} from './event-kinds.js';
export { type JsonSchema, objectOf, ref } from './json-schema.js';
export * as json from './json-schema.js';
export { Links } from './links.js';
export { replyTextOf } from './message.payload.js';
export { isQuotationHeader } from './quotation-header.js';
export { replyText } from './reply-text.js';
export { PayloadsModule } from './payloads.module.js';
export { isUnchanged, requireUnchanged } from './precondition.js';
export { entityTagOf, recordPayload } from './record-payload.js';
export type { DeliveryDetails } from './delivery.payload.js';
export type { ReplayForecast } from './replay.payload.js';
export {
  type EnsuredWebhook,
  type LiveSecret,
  type WebhookStatistics,
  ENSURED_WEBHOOK,
  ensuredPayload,
} from './webhook.payload.js';
export { RECORDS, type RecordName, SCHEMAS } from './records.js';
export { samplePayload, testPayload } from './sample-payloads.js';
export { TICKET_PARTS, type TicketActivity, type TicketPart, type WholeTicket } from './ticket.payload.js';
