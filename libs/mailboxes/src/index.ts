export { KEPT_IN_TRIAL, type MailboxTestProgress, type TestStep } from './checks/mailbox-test-steps.js';
export { MailboxTestsService } from './checks/mailbox-tests.service.js';
export { looksLikeTest } from './checks/test-mail.js';
export { TestMailsService } from './checks/test-mails.service.js';
export type { KeptMail } from './imap/fetched-arrival.js';
export { ImapAccountsService, type ImapFields } from './imap/imap-accounts.service.js';
export { ImapImportsService } from './imap/imap-imports.service.js';
export {
  type HeldImap,
  ImapLeasesService,
  type ImapRelease,
  type LeasedImap,
  type RenewedImap,
} from './imap/imap-leases.service.js';
export { type BroughtMail, ImapMailsService, MailTooLarge } from './imap/imap-mails.service.js';
export { LeaseLost, type NotedMail, type Numbering } from './imap/imap-progress.statements.js';
export type { ImapSecret } from './imap/imap-secret.js';
export { ImapSecretsService } from './imap/imap-secrets.service.js';
export { type HeldImport, ImportEnded } from './imap/older-mail.statements.js';
export { OlderMailsService } from './imap/older-mails.service.js';
export { SEALED_IMAP_ACCOUNTS } from './imap/sealed-imap-accounts.js';
export { standInFor } from './imap/stand-in-mail.js';
export { ARRIVALS_CHANNEL } from './inbound/arrival.statements.js';
export { ArrivalsService, type IncomingMail } from './inbound/arrivals.service.js';
export { type ArrivalQuery, HeldMailsService } from './inbound/held-mails.service.js';
export { HELD_MAILS_KEPT_DAYS, type HoldReason } from './inbound/hold-policy.js';
export { type MailRoute, MailRoutesService } from './inbound/mail-routes.service.js';
export { MAX_MAIL_BYTES } from './inbound/mail-size.js';
export { MailUnderstandingService } from './inbound/mail-understanding.service.js';
export { TooMuchFromUnknownSenders, UnknownSendersService } from './inbound/unknown-senders.service.js';
export { MailboxSmtpService, type SmtpFields } from './mailbox-smtp.service.js';
export { type MailboxFields, MailboxesService } from './mailboxes.service.js';
export { OperatorMailboxesService } from './operator-mailboxes.service.js';
export { AgentNoticesService } from './outbound/agent-notices.service.js';
export { MessageMailsService } from './outbound/message-mails.service.js';
export { type ListedMail, OutgoingMailsService } from './outbound/outgoing-mails.service.js';
export { RawMailsService } from './outbound/raw-mails.service.js';
export { ReplyNoticesService } from './outbound/reply-notices.service.js';
export { typedAddresses } from './outbound/typed-addresses.js';
export { SEALED_SMTP_PASSWORDS } from './sealed-smtp-passwords.js';
export { MailProcessingModule } from './mail-processing.module.js';
export { MailboxesModule } from './mailboxes.module.js';
