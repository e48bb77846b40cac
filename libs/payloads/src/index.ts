export { agentPayload } from './agent.payload.js';
export { attachmentPayload } from './attachment.payload.js';
export { customerPayload } from './customer.payload.js';
export { attemptPayload, deliveryPayload, deliveryDetailsPayload } from './delivery.payload.js';
export { DownloadTokens, type DownloadTokenCheck } from './download-tokens.js';
export { entityTag, entityTagOf } from './entity-tag.js';
export {
  EVENT_KINDS,
  type EventKind,
  type KindOfEvent,
  type SubjectOf,
  serialisePayload,
  isEventKind,
} from './event-kinds.js';
export { eventKindPayload, eventPayload } from './event.payload.js';
export { groupPayload } from './group.payload.js';
export { Links } from './links.js';
export { mailboxPayload } from './mailbox.payload.js';
export { messagePayload } from './message.payload.js';
export { PayloadsModule } from './payloads.module.js';
export { replayPayload } from './replay.payload.js';
export { samplePayload } from './sample-payloads.js';
export { TICKET_PARTS, type TicketActivity, type TicketPart, ticketPayload } from './ticket.payload.js';
export { webhookPayload, webhookSecretPayload } from './webhook.payload.js';
export { type JsonSchema, objectSchema, ref } from './json-schema.js';
export { SCHEMAS, type SchemaName } from './schemas.js';
