// What the apps do with the desk: the module provides each of these, and the front door lists it.
export { type AgentQuery, AgentsService, type NewAgent } from './agents.service.js';
export { ArrivalsService, type IncomingMail } from './mail/arrivals.service.js';
export { AttachmentsService, type Upload } from './attachments.service.js';
export { type ChangesPage, type ChangesQuery, ChangesService } from './changes/changes.service.js';
export { CustomerMailsService } from './mail/customer-mails.service.js';
export { type CustomerQuery, CustomersService } from './customers.service.js';
export { type Download, DownloadsService } from './downloads.service.js';
export { DraftsService } from './drafts.service.js';
export { FilesService } from './files.service.js';
export { type GroupFields, type GroupQuery, GroupsService } from './groups.service.js';
export { type ArrivalQuery, HeldMailsService } from './mail/held-mails.service.js';
export { HeldRepliesService, type ReplyToHold } from './held-replies.service.js';
export { ImagesService } from './images.service.js';
export { type MailRoute, MailRoutesService } from './mail/mail-routes.service.js';
export { type MailboxFields, MailboxesService } from './mailboxes.service.js';
export {
  MessageCame,
  MessagesService,
  type NewMessage,
  type Sending,
  type UpdatedMessagesQuery,
} from './messages.service.js';
export { type KeptView, SavedViewsService } from './views/saved-views.service.js';
export { type SearchHit, type SearchHits, SearchHitsService } from './search/search-hits.service.js';
export { type ListedMail, OutgoingMailsService } from './mail/outgoing-mails.service.js';
export { type ShownBody, ShownBodiesService } from './bodies/shown-bodies.service.js';
export { TicketsService } from './tickets.service.js';
export type { TicketValues } from './ticket-changes.js';
export { WholeTicketsService } from './whole-tickets.service.js';
export { TriageService } from './triage.service.js';
export { ViewCountsService } from './views/view-counts.service.js';
