export { Account } from './account.js';
export { Activity, type ActivityDetail } from './activity.js';
export {
  Application,
  AuthorizationCode,
  Grant,
  type RevokedReason,
  SCOPES,
  type Scope,
  Token,
  type TokenKind,
} from './access.js';
export { AGENT_ROLES, AGENT_STATES, Agent, type AgentRole, type AgentState } from './agent.js';
export { type CustomFields, Customer } from './customer.js';
export { Attempt, DELIVERY_STATES, Delivery, type DeliveryState, OwedDelivery } from './delivery.js';
export { Event, OutboxEntry } from './event.js';
export { Group, GroupMember } from './group.js';
export { IdempotencyKey } from './idempotency-key.js';
export { Mailbox } from './mailbox.js';
export { Message } from './message.js';
export { type LinkPurpose, Session, SingleUseLink, Throttle, Visit } from './sign-in.js';
export { TICKET_PRIORITIES, TICKET_STATES, Ticket, type TicketPriority, type TicketState } from './ticket.js';
export { type DisabledReason, WEBHOOK_STATES, Webhook, WebhookSecret, type WebhookState } from './webhook.js';
export { Conflict, type FieldFault, Forbidden, InvalidField, NotFound, Refusal, type RefusalKind } from './errors.js';
