export { type RequestContext, requireManager } from './request-context.js';
export { AttachmentFolder } from './attachment-folder.js';
export { AgentAccess } from './agent-access.js';
export { LATEST_CHANGE } from './changes/scan.js';
export { type CustomerFields, type ProfileFields } from './customer.statements.js';
export type { ChangedTicket, UndoablePart, UndoableValues } from './changed-ticket.js';
export { DeletedTicketsService } from './deleted-tickets.service.js';
export type { DraftBase, WrittenDraft } from './draft.statements.js';
export { DeskImapModule } from './imap/desk-imap.module.js';
export type { KeptMail } from './imap/fetched-arrival.js';
export {
  type HeldImap,
  ImapLeases,
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
export { standInFor } from './imap/stand-in-mail.js';
export { SEALED_IMAP_ACCOUNTS } from './imap/sealed-imap-accounts.js';
export { ARRIVALS_CHANNEL } from './mail/arrival.statements.js';
export { SEALED_SMTP_PASSWORDS } from './mail/sealed-smtp-passwords.js';
export { RawMailsService } from './mail/raw-mails.service.js';
export { TooMuchFromUnknownSenders } from './mail/unknown-senders.service.js';
export { ReplyAddresses } from './mail/reply-addresses.js';
export { HELD_MAILS_KEPT_DAYS, type HoldReason } from './mail/hold-policy.js';
export { MAX_CC, addressKey, distinctAddresses, withoutTag } from './mail/mail-people.js';
export { typedAddresses } from './mail/typed-addresses.js';
export { MAX_MAIL_BYTES } from './mail/mail-size.js';
export { DeskMailModule } from './mail/desk-mail.module.js';
export { DeskMailOutModule } from './mail/desk-mail-out.module.js';
export { MailUnderstandingService } from './mail/mail-understanding.service.js';
export { MessageMailsService } from './mail/message-mails.service.js';
export { KEPT_IN_TRIAL, type MailboxTestProgress, type TestStep } from './mail/mailbox-test-steps.js';
export { OperatorMailboxesService } from './mail/operator-mailboxes.service.js';
export { AgentNoticesService } from './mail/agent-notices.service.js';
export { looksLikeTest } from './mail/test-mail.js';
export { TestMailsService } from './mail/test-mails.service.js';
export { DeskModule } from './desk.module.js';
export { DeskUpkeepModule } from './desk-upkeep.module.js';
export { API_FOLDER_IDS, type ApiFolderId, FOLDERS, FOLDER_IDS, type FolderId } from './lists/folders.js';
export { type FolderCounts } from './lists/folder-counts.service.js';
export { INCLUDED, type Included, MOST_INCLUDED_MESSAGES } from './included.js';
export { NONE, type TicketFilter } from './lists/ticket-filter.js';
export { TICKET_ORDERS, TICKET_SORTS, type TicketSort } from './lists/ticket-orders.js';
export { MessageCame, type SeenThread, formatSeen, parseSeen, unseenIn } from './seen-thread.js';
export { SNOOZED, type TicketStateFilter } from './lists/ticket-states.js';
export { SearchWalksService } from './search/search-walks.service.js';
export type { MarkedText } from './search/search-marks.js';
export { wordVector } from './search/word-vector.js';
export { SEARCH_OPERATORS } from './search/search-operators.js';
export { type NewTicket } from './new-ticket.js';
export { SnoozedTicketsService } from './snoozed-tickets.service.js';
export { type TicketQuery } from './lists/ticket-lists.service.js';
export type { ListedTicket, OtherTicket } from './ticket.statements.js';
export { withAttachedPictures } from './bodies/attached-pictures.js';
export { hasRemotePictures, withRemotePictures, withoutRemotePictures } from './bodies/safe-html.js';
export * from './services.js';
export type { HeldReplyOfAgent } from './held-reply.statements.js';
