export { AttachmentFolderService } from './attachments/attachment-folder.service.js';
export { mendAttachmentName, mendAttachmentType } from './attachments/attachment-names.js';
export { addAttachments } from './attachments/attachment.statements.js';
export { AttachmentsService, type Upload } from './attachments/attachments.service.js';
export { type Download, DownloadsService } from './attachments/downloads.service.js';
export { FilesService, SizeLimitedContent } from './attachments/files.service.js';
export { ImagesService } from './attachments/images.service.js';
export { isShownImage } from './attachments/shown-images.js';
export { BodyRenderer } from './bodies/body-renderer.js';
export type { ThreadFailure } from './bodies/bounded-thread.js';
export { type RenderedBody, plainText } from './bodies/render-body.js';
export {
  hasRemotePictures,
  withAttachedPictures,
  withAttachments,
  withRemotePictures,
  withoutRemotePictures,
} from './bodies/safe-html.js';
export { ShownBodiesService, type ShownBody } from './bodies/shown-bodies.service.js';
export { LATEST_CHANGE } from './changes/change.statements.js';
export { type ChangesPage, type ChangesQuery, ChangesService } from './changes/changes.service.js';
export { toDomainError } from './constraint-errors.js';
export { type CustomerQuery, CustomersService } from './customers/customers.service.js';
export {
  type CustomerFields,
  type ProfileFields,
  findOrCreateCustomer,
} from './customers/find-or-create-customer.statements.js';
export type { FolderCounts } from './lists/folder-counts.service.js';
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
export type { TicketQuery } from './lists/ticket-lists.service.js';
export { TICKET_ORDERS, TICKET_SORTS, type TicketSort } from './lists/ticket-orders.js';
export type { DraftBase, WrittenDraft } from './messages/draft.statements.js';
export { DraftsService } from './messages/drafts.service.js';
export { ScheduledRepliesService } from './messages/scheduled-replies.service.js';
export type { HeldReplyOfAgent } from './messages/held-reply.statements.js';
export { insertMessage } from './messages/message.statements.js';
export { MessagesService, type UpdatedMessagesQuery } from './messages/messages.service.js';
export { newMessage } from './messages/new-message.js';
export type { NewMessage, Sending } from './messages/new-messages.service.js';
export { UnseenMessages, type SeenThread, formatSeen, parseSeen, unseenIn } from './messages/seen-thread.js';
export { insertTicket } from './new-ticket.statements.js';
export type { NewTicket } from './new-ticket.js';
export { AgentAccess, type AgentQuery, AgentsService, type NewAgent } from './people/agents.service.js';
export { type GroupFields, type GroupQuery, GroupsService } from './people/groups.service.js';
export { normalized } from './normalized.js';
export {
  type ChosenTimeZones,
  ListDensityService,
  TimeZonesService,
  UndoSendingService,
} from './people/preferences.service.js';
export { TIME_ZONES } from './people/time-zone.js';
export { CustomerMailsService } from './recipients/customer-mails.service.js';
export {
  MAX_CC,
  MAX_KEPT_RECIPIENTS,
  addressKey,
  distinctAddresses,
  shownAddresses,
  withoutTag,
} from './recipients/mail-addresses.js';
export {
  type MailRecipients,
  type MailSender,
  NOBODY,
  beginningOf,
  customerOf,
  isMailAddress,
  recipientsIn,
} from './recipients/mail-header.js';
export {
  ReplyAddressesService,
  agentTokenIn,
  newReturnToken,
  returnTokenIn,
  withTag,
  withoutToken,
  writtenSignature,
} from './recipients/reply-addresses.service.js';
export { mailboxNamed } from './references.js';
export { type RequestContext, requireManager, requireUnchanged } from './request-context.js';
export { wordVector } from './search/lexemes.js';
export { type SearchHits, SearchHitsService } from './search/search-hits.service.js';
export type { MarkedText } from './search/search-marks.js';
export { SEARCH_OPERATORS } from './search/search-query.js';
export type { TicketValues } from './ticket-changes.js';
export { DeletedTicketsService, SnoozedTicketsService } from './ticket-upkeep.service.js';
export { type ListedTicket, NEXT_TICKET_NUMBER, type OtherTicket, lockTicket } from './ticket.statements.js';
export { TicketsModule } from './tickets.module.js';
export { TicketsService } from './tickets.service.js';
export { TriageService, type UndoableChange } from './triage.service.js';
export type { ChangedTicket, UndoablePart, UndoableValues } from './undo.js';
export type { ListedView } from './views/saved-view.statements.js';
export { SavedViewsService } from './views/saved-views.service.js';
export { ViewCountsService } from './views/view-counts.service.js';
export { INCLUDED, type Included, MAX_INCLUDED_MESSAGES, WholeTicketsService } from './whole-tickets.service.js';
