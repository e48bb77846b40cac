export {
  Account,
  TWO_FACTOR_REQUIREMENTS,
  TWO_FACTOR_REQUIREMENT_WORDS,
  type TwoFactorRequirement,
} from './account.js';
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
} from './oauth.js';
export {
  AGENT_ROLES,
  AGENT_STATES,
  Agent,
  type AgentFields,
  type AgentRole,
  type AgentState,
  manages,
} from './agent.js';
export { ARRIVAL_SOURCES, ARRIVAL_STATES, Arrival, type ArrivalSource, type ArrivalState } from './arrival.js';
export { Attachment, MAX_ATTACHMENTS, MAX_ATTACHMENT_BYTES, SERVED_TYPES, UNKNOWN_TYPE } from './attachment.js';
export { COPIED_KINDS, COPIED_RECORDS, ChangeMark, type CopiedKind } from './change-mark.js';
export { type CustomFields, Customer, type CustomerProfile } from './customer.js';
export {
  Attempt,
  BacklogHour,
  DELIVERY_STANDINGS,
  DELIVERY_STATES,
  Delivery,
  DeliveryCount,
  type DeliveryStanding,
  type DeliveryState,
  OwedDelivery,
  standingOf,
  standingSql,
} from './delivery.js';
export { Draft, DraftFile } from './draft.js';
export { HeldReply, UNDO_SECONDS, type UndoSeconds } from './held-reply.js';
export { Event, OutboxEntry } from './event.js';
export { Group, GroupMember } from './group.js';
export { IdempotencyKey } from './idempotency-key.js';
export {
  IMAP_SECURITIES,
  IMAP_SIGN_INS,
  IMAP_STATES,
  ImapAccount,
  ImapMail,
  type ImapSecurity,
  type ImapSignIn,
  type ImapState,
} from './imap-account.js';
export { IMAP_IMPORT_STATES, ImapImport, type ImapImportState } from './imap-import.js';
export { Mailbox } from './mailbox.js';
export { MailboxTest } from './mailbox-test.js';
export { MailboxSmtp, SMTP_SECURITIES, type SmtpSecurity } from './mailbox-smtp.js';
export {
  type AttachedFile,
  type BodyForm,
  type MailedCopy,
  MESSAGE_CHANNELS,
  Message,
  type MessageChannel,
} from './message.js';
export { type CaughtMail, OUTGOING_MAIL_KINDS, OutgoingMail, type OutgoingMailKind } from './outgoing-mail.js';
export { OUTGOING_MAIL_STATES, type OutgoingMailState } from './outgoing-mail-state.js';
export { Presence } from './presence.js';
export {
  ANSWER_CLASSES,
  type AnswerClass,
  REPLAY_CHOICES,
  REPLAY_STATES,
  Replay,
  type ReplayChoice,
} from './replay.js';
export { SENDER_CHECKS, SENDER_RESULTS, type SenderResult, type SenderVerdicts } from './sender-verdicts.js';
export { SavedView } from './saved-view.js';
export { StrayFile } from './stray-file.js';
export { Authenticator, RecoveryCode, SignInChallenge } from './two-factor.js';
export { type LinkPurpose, Session, SingleUseLink, Throttle, PendingSignIn } from './sign-in.js';
export {
  LAST_TEXT_CHARACTERS,
  TICKET_PRIORITIES,
  TICKET_STATES,
  Ticket,
  type TicketField,
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
