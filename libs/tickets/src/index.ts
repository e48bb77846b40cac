export { AttachmentFolderService } from './attachments/attachment-folder.service.js';
export { FilesService } from './attachments/files.service.js';
export { isShownImage } from './attachments/attachments.service.js';
export { hiddenHost, plainTextOf, withRealHosts } from './bodies/real-hosts.js';
export { plainText } from './bodies/render-body.js';
export {
  hasRemotePictures,
  isPictureIn,
  safeHtml,
  startOfHtml,
  withAttachedPictures,
  withAttachments,
  withRemotePictures,
  withoutRemotePictures,
} from './bodies/safe-html.js';
export { LATEST_CHANGE } from './changes/change.statements.js';
export { toDomainError } from './constraint-errors.js';
export type { CustomerFields } from './customers/customer.statements.js';
export {
  API_FOLDER_IDS,
  type ApiFolderId,
  FOLDERS,
  FOLDER_IDS,
  type FolderId,
  SNOOZED,
  type TicketStateFilter,
} from './lists/folders.js';
export { NONE } from './lists/ticket-filter.js';
export { TICKET_ORDERS, TICKET_SORTS, type TicketSort } from './lists/ticket-orders.js';
export type { DraftBase, WrittenDraft } from './messages/draft.statements.js';
export { NewerDraft } from './messages/drafts.service.js';
export type { HeldReplyOfAgent, HeldSource, UnsentTicket, WaitingReply } from './messages/held-reply.statements.js';
export { MENTION, mentionsOneOf } from './messages/mentions.js';
export { type SeenThread, UnseenMessages, formatSeen, parseSeen, unseenIn } from './messages/seen-thread.js';
export type { Imported } from './imports.js';
export type { NewTicket } from './new-ticket.statements.js';
export { moveMergedOut } from './merging/merge.statements.js';
export { normalized } from './normalized.js';
export { AgentAccess, type AgentQuery, type NewAgent } from './people/agents.service.js';
export { TIME_ZONES } from './people/preferences.service.js';
export { MAX_NOTICES } from './recipients/agent-notice.statements.js';
export { MAX_CC } from './recipients/copy-recipients.statements.js';
export type { CustomerMail } from './mail/customer-mail.js';
export { MailContentsService, type StoredContent } from './mail/mail-contents.service.js';
export { MailTicketsModule } from './mail/mail-tickets.module.js';
export { MailTicketsService } from './mail/mail-tickets.service.js';
export { CustomerMailsService } from './recipients/customer-mails.service.js';
export { ReplyAddressesService } from './recipients/reply-addresses.service.js';
export { mailboxNamed } from './references.js';
export { type RequestContext, requireManager } from './request-context.js';
export { wordQuery, wordVector } from './search/lexemes.js';
export { SEARCH_OPERATORS, type SoughtPart, parseSearch, unknownOperators } from './search/search-query.js';
export { type Word, fold, isDense } from './search/words.js';
export * from './services.js';
export type { ChangedTicket, TicketValues, UndoablePart } from './ticket-changes.js';
export { TicketUpkeepService } from './ticket-upkeep.service.js';
export { type ListedTicket, type OtherTicket } from './ticket.statements.js';
export { TicketsModule } from './tickets.module.js';
export { INCLUDED, type Included, MAX_INCLUDED_MESSAGES } from './tickets.service.js';
export type { ListedView } from './views/saved-view.statements.js';
