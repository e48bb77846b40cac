export type { Change, CopiedRecord } from './change.payload.js';
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
export { Links } from './links.js';
export { replyTextOf } from './message.payload.js';
export { isQuotationHeader } from './quotation-header.js';
export { replyText } from './reply-text.js';
export { PayloadsModule } from './payloads.module.js';
export { samplePayload } from './sample-payloads.js';
export { type JsonSchema, objectOf, ref } from './json-schema.js';
export { RECORDS, type RecordName, SCHEMAS } from './records.js';
export type { WholeTicket } from './whole-ticket.payload.js';
export { TICKET_PARTS, type TicketActivity, type TicketPart } from './ticket.payload.js';
