export { agentPayload } from './agent.payload.js';
export { customerPayload } from './customer.payload.js';
export { EVENT_KINDS, type EventKind, type SubjectOf, freeze, isEventKind } from './event-kinds.js';
export { Links } from './links.js';
export { messagePayload } from './message.payload.js';
export { PayloadsModule } from './payloads.module.js';
export { ticketPayload } from './ticket.payload.js';
export { webhookPayload } from './webhook.payload.js';
