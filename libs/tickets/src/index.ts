export { AttachmentFolderService } from './attachments/attachment-folder.service.js';
export { mendAttachmentName, mendAttachmentType } from './attachments/attachment-names.js';
export { addAttachments } from './attachments/attachment.statements.js';
export { AttachmentsService, type Upload } from './attachments/attachments.service.js';
export { type Download, DownloadsService } from './attachments/downloads.service.js';
export { FilesService } from './attachments/files.service.js';
export { ImagesService } from './attachments/images.service.js';
export { isShownImage } from './attachments/shown-images.js';
export { SizeLimitedContent } from './attachments/size-limited-content.js';
export { withAttachedPictures, withAttachments } from './bodies/attached-pictures.js';
export { BodyRenderer } from './bodies/body-renderer.js';
export type { ThreadFailure } from './bodies/bounded-thread.js';
export { plainText } from './bodies/plain-text.js';
export type { RenderedBody } from './bodies/render-body.js';
export { hasRemotePictures, withRemotePictures, withoutRemotePictures } from './bodies/safe-html.js';
export { ShownBodiesService, type ShownBody } from './bodies/shown-bodies.service.js';
export type { ChangedTicket, UndoablePart, UndoableValues } from './changed-ticket.js';
export { type ChangesPage, type ChangesQuery, ChangesService } from './changes/changes.service.js';
export { LATEST_CHANGE } from './changes/scan.js';
export { type CustomerFields, type ProfileFields, addCustomer } from './customers/customer.statements.js';
export { type CustomerQuery, CustomersService } from './customers/customers.service.js';
export { DeletedTicketsService } from './deleted-tickets.service.js';
export { TicketsModule } from './tickets.module.js';
export { INCLUDED, type Included, MAX_INCLUDED_MESSAGES } from './included.js';
export type { FolderCounts } from './lists/folder-counts.service.js';
export { API_FOLDER_IDS, type ApiFolderId, FOLDERS, FOLDER_IDS, type FolderId } from './lists/folders.js';
export { NONE, type TicketFilter } from './lists/ticket-filter.js';
export type { TicketQuery } from './lists/ticket-lists.service.js';
export { TICKET_ORDERS, TICKET_SORTS, type TicketSort } from './lists/ticket-orders.js';
export { SNOOZED, type TicketStateFilter } from './lists/ticket-states.js';
export type { DraftBase, WrittenDraft } from './messages/draft.statements.js';
export { DraftsService } from './messages/drafts.service.js';
export { HeldRepliesService, type ReplyToHold } from './messages/held-replies.service.js';
export type { HeldReplyOfAgent } from './messages/held-reply.statements.js';
export { insertMessage } from './messages/message.statements.js';
export {
  MessagesService,
  type NewMessage,
  type Sending,
  type UpdatedMessagesQuery,
} from './messages/messages.service.js';
export { newMessage } from './messages/new-message.js';
export { type NewTicket, insertTicket } from './new-ticket.js';
export { NEXT_NUMBER } from './new-tickets.service.js';
export { normalized } from './normalized.js';
export { AgentAccess } from './people/agent-access.js';
export { type AgentQuery, AgentsService, type NewAgent } from './people/agents.service.js';
export { type GroupFields, type GroupQuery, GroupsService } from './people/groups.service.js';
export {
  type ChosenTimeZones,
  ListDensityService,
  TimeZonesService,
  UndoSendingService,
} from './people/preferences.service.js';
export { TIME_ZONES } from './people/time-zone.js';
export { beginningOf } from './recipients/beginning-of.js';
export { CustomerMailsService } from './recipients/customer-mails.service.js';
export {
  MAX_CC,
  MAX_KEPT_RECIPIENTS,
  addressKey,
  distinctAddresses,
  shownAddresses,
  withoutTag,
} from './recipients/mail-people.js';
export { type MailRecipients, recipientsIn } from './recipients/mail-recipients.js';
export { type MailSender, NOBODY, customerOf, isMailAddress } from './recipients/mail-sender.js';
export { mailboxNamed } from './references.js';
export {
  ReplyAddressesService,
  agentTokenIn,
  newReturnToken,
  returnTokenIn,
  withTag,
  withoutToken,
  writtenSignature,
} from './recipients/reply-addresses.service.js';
export { refusalOf } from './refusals.js';
export { type RequestContext, requireManager, requireUnchanged } from './request-context.js';
export { type SearchHit, type SearchHits, SearchHitsService } from './search/search-hits.service.js';
export type { MarkedText } from './search/search-marks.js';
export { SEARCH_OPERATORS } from './search/search-operators.js';
export { SearchWalksService } from './search/search-walks.service.js';
export { wordVector } from './search/word-vector.js';
export { MessageCame, type SeenThread, formatSeen, parseSeen, unseenIn } from './seen-thread.js';
export { SnoozedTicketsService } from './snoozed-tickets.service.js';
export type { TicketValues } from './ticket-changes.service.js';
export { type ListedTicket, type OtherTicket, lockTicket } from './ticket.statements.js';
export { TicketsService } from './tickets.service.js';
export { TriageService, type UndoableChange } from './triage.service.js';
export { type KeptView, SavedViewsService } from './views/saved-views.service.js';
export { ViewCountsService } from './views/view-counts.service.js';
export { WholeTicketsService } from './whole-tickets.service.js';
