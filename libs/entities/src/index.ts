export {
  Account,
  TWO_FACTOR_REQUIREMENTS,
  TWO_FACTOR_REQUIREMENT_WORDS,
  type TwoFactorRequirement,
} from './account.js';
export { Activity, type ActivityDetail, Event } from './event.js';
export { Application, AuthorizationCode, Grant, type RevokedReason, SCOPES, type Scope, Token } from './oauth.js';
export {
  AGENT_ROLES,
  AGENT_STATES,
  Agent,
  type AgentFields,
  type AgentRole,
  type AgentState,
  Group,
  GroupMember,
  manages,
} from './agent.js';
export { ARRIVAL_SOURCES, ARRIVAL_STATES, Arrival, type ArrivalSource, type ArrivalState } from './arrival.js';
export { Attachment, MAX_ATTACHMENTS, MAX_ATTACHMENT_BYTES, SERVED_TYPES, UNKNOWN_TYPE } from './attachment.js';
export { COPIED_KINDS, type CopiedKind } from './copied-kinds.js';
export { type CustomFields, Customer, type ProfileFields } from './customer.js';
export {
  Attempt,
  DELIVERY_STANDINGS,
  DELIVERY_STATES,
  Delivery,
  type DeliveryStanding,
  type DeliveryState,
  OwedDelivery,
  standingOf,
  standingSql,
} from './delivery.js';
export { Draft, DraftFile, HeldReply, UNDO_SECONDS } from './draft.js';
export {
  IMAP_IMPORT_STATES,
  IMAP_SECURITIES,
  IMAP_SIGN_INS,
  IMAP_STATES,
  ImapAccount,
  ImapImport,
  type ImapSecurity,
  type ImapState,
} from './imap.js';
export { Mailbox, MailboxSmtp, SMTP_SECURITIES, type SmtpSecurity } from './mailbox.js';
export { type CaughtMail, MailboxTest, OutgoingMail, type OutgoingMailKind } from './outgoing-mail.js';
export {
  type AttachedFile,
  type BodyForm,
  MESSAGE_CHANNELS,
  type MailedCopy,
  Message,
  type MessageChannel,
  OUTGOING_MAIL_STATES,
  type OutgoingMailState,
  SENDER_CHECKS,
  SENDER_RESULTS,
  type SenderResult,
  type SenderVerdicts,
} from './message.js';
export {
  ANSWER_CLASSES,
  type AnswerClass,
  REPLAY_CHOICES,
  REPLAY_STATES,
  Replay,
  type ReplayChoice,
} from './replay.js';
export { SavedView } from './saved-view.js';
export { PendingSignIn, Session, SingleUseLink } from './sign-in.js';
export {
  LAST_TEXT_CHARACTERS,
  TICKET_PRIORITIES,
  TICKET_STATES,
  Ticket,
  type TicketPriority,
  type TicketState,
  beginningOf,
  distinctTags,
} from './ticket.js';
export {
  type DisabledReason,
  SIGNATURE_VERSIONS,
  type SignatureVersion,
  WEBHOOK_STATES,
  Webhook,
  WebhookSecret,
  type WebhookState,
} from './webhook.js';
export {
  Conflict,
  type FieldError,
  Forbidden,
  InvalidField,
  InvalidFields,
  NotFound,
  PreconditionFailed,
  DomainError,
  type DomainErrorKind,
  TooLarge,
  StorageFull,
  Unavailable,
} from './errors.js';
