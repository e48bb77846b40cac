import type { ModuleMetadata } from '@nestjs/common';
import { MessageWithAttachmentsService } from './composer/composer-form.js';
import { ComposerController } from './composer/composer.controller.js';
import { ScheduledRepliesController } from './composer/scheduled-replies.controller.js';
import { SaveDraftOnSignOutFilter } from './composer/save-draft-on-sign-out.filter.js';
import { WritingPermitsService } from './composer/writing-permits.service.js';
import { ScheduledReplySender } from './composer/scheduled-reply-sender.js';
import { BulkActionsController } from './inbox/bulk-actions.controller.js';
import { InboxController } from './inbox/inbox.controller.js';
import { InboxReader } from './inbox/inbox.reader.js';
import { OpenTicketReader } from './inbox/open-ticket.reader.js';
import { WritingReader } from './inbox/writing.reader.js';
import { LastMailboxService, NewTicketController } from './inbox/new-ticket.controller.js';
import { NewTicketReader } from './inbox/new-ticket.reader.js';
import { SearchHitsService } from './inbox/search-hits.service.js';
import { TicketActionsController } from './inbox/ticket-actions.controller.js';
import { TicketChoicesReader } from './inbox/ticket-choices.reader.js';
import { UndoService } from './inbox/undo.service.js';
import { SavedRepliesController } from './saved-replies/saved-replies.controller.js';
import { SavedReplyPagesController, SavedReplyPickerController } from './saved-replies/saved-reply-pages.controller.js';
import { SidebarListsReader } from './sidebar/sidebar-lists.reader.js';
import { TicketSidebarReader } from './sidebar/ticket-sidebar.reader.js';
import { TicketPartsController } from './ticket-parts.controller.js';
import { FoldersController, TicketBatchController, TicketsController } from './tickets.controller.js';
import { ViewsController } from './views/views.controller.js';

export const TICKETS_PARTS = {
  controllers: [
    ComposerController,
    ScheduledRepliesController,
    BulkActionsController,
    InboxController,
    NewTicketController,
    SavedRepliesController,
    SavedReplyPagesController,
    SavedReplyPickerController,
    TicketActionsController,
    TicketPartsController,
    FoldersController,
    TicketBatchController,
    TicketsController,
    ViewsController,
  ],
  providers: [
    MessageWithAttachmentsService,
    SaveDraftOnSignOutFilter,
    WritingPermitsService,
    ScheduledReplySender,
    InboxReader,
    OpenTicketReader,
    WritingReader,
    LastMailboxService,
    NewTicketReader,
    SearchHitsService,
    TicketChoicesReader,
    UndoService,
    SidebarListsReader,
    TicketSidebarReader,
  ],
} satisfies ModuleMetadata;
