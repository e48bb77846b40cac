// The module provides all of these.
export { AttachmentsService, type Upload } from './attachments/attachments.service.js';
export { type Download, DownloadsService } from './attachments/downloads.service.js';
export { ShownBodiesService, type ShownBody } from './bodies/shown-bodies.service.js';
export { type ChangesQuery, ChangesService } from './changes/changes.service.js';
export { type CustomerQuery, CustomersService } from './customers/customers.service.js';
export { type FolderCounts, TicketListsService, type TicketQuery } from './lists/ticket-lists.service.js';
export { MergesService } from './merging/merges.service.js';
export { DraftsService } from './messages/drafts.service.js';
export { ScheduledRepliesService } from './messages/scheduled-replies.service.js';
export {
  MessagesService,
  type NewMessage,
  type Sending,
  type UpdatedMessagesQuery,
} from './messages/messages.service.js';
export { AgentsService } from './people/agents.service.js';
export { type GroupFields, type GroupQuery, GroupsService } from './people/groups.service.js';
export type { Preferences } from './people/preference.statements.js';
export { PreferencesService } from './people/preferences.service.js';
export { TicketsService } from './tickets.service.js';
export { TriageService, type UndoableChange } from './triage.service.js';
export { SavedRepliesService } from './saved-replies/saved-replies.service.js';
export { SavedViewsService } from './views/saved-views.service.js';
export { ViewCountsService } from './views/view-counts.service.js';
