import { DeskModule } from '#libs/desk';
import { Module } from '@nestjs/common';
import { LiveModule } from '../live/live.module.js';
import { ShellModule } from '../shell/shell.module.js';
import { SignInModule } from '../../sign-in/sign-in.module.js';
import { ConsoleAttachmentsController } from './attachments.controller.js';
import { ConsoleBulkActionsController } from './bulk-actions.controller.js';
import { ConsoleComposerController } from './composer.controller.js';
import { ConsoleInboxController } from './inbox.controller.js';
import { ConsoleDraftsController } from './drafts.controller.js';
import { ConsoleHeldRepliesController } from './held-replies.controller.js';
import { HeldReplySender } from './held-reply-sender.js';
import { InboxReader } from './inbox.reader.js';
import { LastMailbox } from './last-mailbox.js';
import { ListPageReader } from './list-page.reader.js';
import { ConsoleMailsController } from './mails.controller.js';
import { MessageWithAttachmentsService } from './message-with-attachments.service.js';
import { ConsoleNewTicketController } from './new-ticket.controller.js';
import { OpenTicketReader } from './open-ticket.reader.js';
import { ReadMarks } from './read-marks.js';
import { ThreadReader } from './thread.reader.js';
import { ConsoleTicketActionsController } from './ticket-actions.controller.js';
import { ConsoleUndoController } from './undo.controller.js';
import { ConsoleSnoozeController } from './snooze.controller.js';
import { TicketChoicesReader } from './ticket-choices.reader.js';
import { ConsoleWholeSearchController } from './whole-search.controller.js';
import { WholeSearchReader } from './whole-search.reader.js';
import { KeptUndos } from './kept-undos.js';
import { KeptWritingFilter } from './kept-writing.filter.js';
import { WritingPermits } from './writing-permits.js';
import { WritingReader } from './writing.reader.js';

/** Tickets: the list, the conversation, and what can be done to them. */
@Module({
  imports: [DeskModule, LiveModule, ShellModule, SignInModule],
  controllers: [
    ConsoleInboxController,
    ConsoleNewTicketController,
    ConsoleBulkActionsController,
    ConsoleWholeSearchController,
    ConsoleComposerController,
    ConsoleDraftsController,
    ConsoleHeldRepliesController,
    ConsoleMailsController,
    ConsoleSnoozeController,
    ConsoleTicketActionsController,
    ConsoleUndoController,
    ConsoleAttachmentsController,
  ],
  providers: [
    HeldReplySender,
    LastMailbox,
    ListPageReader,
    OpenTicketReader,
    InboxReader,
    MessageWithAttachmentsService,
    KeptUndos,
    KeptWritingFilter,
    ReadMarks,
    ThreadReader,
    TicketChoicesReader,
    WholeSearchReader,
    WritingPermits,
    WritingReader,
  ],
})
export class ConsoleInboxModule {}
