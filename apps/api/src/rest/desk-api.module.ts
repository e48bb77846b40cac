import { DeskModule } from '#libs/desk';
import { Module } from '@nestjs/common';
import { AgentsController } from './agents/agents.controller.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { AttachmentsController } from './attachments/attachments.controller.js';
import { DownloadsController } from './attachments/downloads.controller.js';
import { CustomersController } from './customers/customers.controller.js';
import { FoldersController } from './folders/folders.controller.js';
import { GroupsController } from './groups/groups.controller.js';
import { MailboxesController } from './mailboxes/mailboxes.controller.js';
import { MeController } from './me/me.controller.js';
import { MessagesController } from './messages/messages.controller.js';
import { TicketPartsController } from './tickets/ticket-parts.controller.js';
import { TicketsController } from './tickets/tickets.controller.js';

/** The REST resources of the desk. */
@Module({
  imports: [DeskModule, SignInModule],
  controllers: [
    AgentsController,
    AttachmentsController,
    CustomersController,
    DownloadsController,
    FoldersController,
    GroupsController,
    MailboxesController,
    MeController,
    MessagesController,
    TicketsController,
    TicketPartsController,
  ],
})
export class DeskApiModule {}
