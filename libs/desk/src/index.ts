export { type RequestContext, requireManager } from './request-context.js';
export { AgentAccess } from './agent-access.js';
export { LATEST_CHANGE } from './changes/scan.js';
export { type CustomerFields, type ProfileFields } from './customer.statements.js';
export { DeletedTicketsService } from './deleted-tickets.service.js';
export type { DraftBase, WrittenDraft } from './draft.statements.js';
export { ARRIVALS_CHANNEL } from './mail/arrival.statements.js';
export { RawMailsService } from './mail/raw-mails.service.js';
export { MAX_MAIL_BYTES } from './mail/mail-size.js';
export { DeskMailModule } from './mail/desk-mail.module.js';
export { MailUnderstandingService } from './mail/mail-understanding.service.js';
export { DeskModule } from './desk.module.js';
export { DeskUpkeepModule } from './desk-upkeep.module.js';
export { FOLDERS, FOLDER_IDS, type FolderId } from './lists/folders.js';
export { type FolderCounts } from './lists/folder-counts.service.js';
export { INCLUDED, type Included, MOST_INCLUDED_MESSAGES } from './included.js';
export {
  NONE,
  SNOOZED,
  TICKET_SORTS,
  type TicketFilter,
  type TicketSort,
  type TicketStateFilter,
} from './lists/ticket-filter.js';
export { type NewTicket } from './new-ticket.js';
export { SnoozedTicketsService } from './snoozed-tickets.service.js';
export { type TicketQuery } from './lists/ticket-lists.service.js';
export { hasRemotePictures, withRemotePictures, withoutRemotePictures } from './bodies/safe-html.js';
export * from './services.js';
export type { HeldReplyOfAgent } from './held-reply.statements.js';
