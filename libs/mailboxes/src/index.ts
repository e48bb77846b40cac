export { CheckMailsService, looksLikeCheck } from './checks/check-mails.service.js';
export {
  KEPT_IN_TRIAL,
  type MailboxCheckProgress,
  type MailboxCheckStep,
  MailboxChecksService,
} from './checks/mailbox-checks.service.js';
export { type ImapRelease, type LeasedImap, type RenewedImap, type SeenMail } from './imap/imap-lease.statements.js';
export {
  ImapAccountsService,
  type ImapFields,
  ImapLeasesService,
  type ImapSecret,
} from './imap/imap-accounts.service.js';
export * from './imap/imap-mails.service.js';
export { ARRIVALS_CHANNEL } from './inbound/arrival.statements.js';
export * from './inbound/quarantine.service.js';
export { InboundMailProcessor } from './inbound/inbound-mail.processor.js';
export { type AddressedMailbox, AddressedMailboxesService } from './inbound/addressed-mailboxes.service.js';
export { AgentReplyAddressesService } from './inbound/agent-reply-addresses.service.js';
export { InboundMailService, TooMuchFromUnknownSenders } from './inbound/inbound-mail.service.js';
export { RawMailsService } from './inbound/raw-mails.service.js';
export { MAX_MAIL_BYTES } from './inbound/store-mail.js';
export { hostOf } from './mail-ids.js';
export { type MailboxFields, MailboxSmtpService, MailboxesService, type SmtpFields } from './mailboxes.service.js';
export { SEALED_IMAP_ACCOUNTS, SEALED_SMTP_PASSWORDS } from './mailboxes.statements.js';
export { OperatorMailboxesService } from './operator-mailboxes.service.js';
export { AgentNoticesService, ReplyNoticesService } from './outbound/agent-notices.service.js';
export { type LoadedMail, MessageMailsService } from './outbound/message-mails.service.js';
export { CLAIM_MAILS } from './outbound/outbound-mail.statements.js';
export { type ListedMail, OutgoingMailsService } from './outbound/outgoing-mails.service.js';
export { typedAddresses } from './outbound/typed-addresses.js';
export { MailProcessingModule, MailboxesModule } from './mailboxes.module.js';
