export { CheckMailsService, looksLikeCheck } from './checks/check-mails.service.js';
export { KEPT_IN_TRIAL, type MailboxCheckProgress, type MailboxCheckStep } from './checks/mailbox-check-progress.js';
export { MailboxChecksService } from './checks/mailbox-checks.service.js';
export { ImapAccountsService, type ImapFields } from './imap/imap-accounts.service.js';
export { type ImapRelease, type LeasedImap, type RenewedImap, type SeenMail } from './imap/imap-lease.statements.js';
export { ImapLeasesService, type ImapSecret, ImapSecretsService } from './imap/imap-leases.service.js';
export {
  type FetchedMail,
  type HeldImport,
  ImapMailsService,
  ImportEnded,
  LeaseLost,
  MailTooLarge,
} from './imap/imap-mails.service.js';
export { ARRIVALS_CHANNEL } from './inbound/arrival.statements.js';
export {
  type ArrivalQuery,
  QUARANTINE_DAYS,
  QuarantineService,
  type QuarantineReason,
} from './inbound/quarantine.service.js';
export { InboundMailService, TooMuchFromUnknownSenders } from './inbound/inbound-mail.service.js';
export { InboundMailProcessor } from './inbound/inbound-mail.processor.js';
export { type AddressedMailbox, AddressedMailboxesService } from './inbound/addressed-mailboxes.service.js';
export { MAX_MAIL_BYTES, RawMailsService } from './inbound/raw-mails.service.js';
export { MailboxSmtpService, type SmtpFields } from './mailbox-smtp.service.js';
export { type MailboxFields, MailboxesService } from './mailboxes.service.js';
export { SEALED_IMAP_ACCOUNTS, SEALED_SMTP_PASSWORDS } from './mailboxes.statements.js';
export { OperatorMailboxesService } from './operator-mailboxes.service.js';
export { AgentNoticesService, ReplyNoticesService } from './outbound/agent-notices.service.js';
export { MessageMailsService } from './outbound/message-mails.service.js';
export { type ListedMail, OutgoingMailsService } from './outbound/outgoing-mails.service.js';
export { typedAddresses } from './outbound/typed-addresses.js';
export { MailProcessingModule } from './mail-processing.module.js';
export { MailboxesModule } from './mailboxes.module.js';
