import { ListsModule } from '#libs/lists';
import { StorageModule } from '#libs/storage';
import { Module } from '@nestjs/common';
import { AgentsService } from './agents.service.js';
import { AttachmentsService } from './attachments.service.js';
import { CustomersService } from './customers.service.js';
import { CustomerCopies } from './customer-copies.js';
import { DownloadsService } from './downloads.service.js';
import { Events } from './events.js';
import { Files } from './files.js';
import { GroupsService } from './groups.service.js';
import { FolderTotals } from './lists/folder-counts.js';
import { TicketLists } from './lists/ticket-lists.js';
import { MailboxesService } from './mailboxes.service.js';
import { MessagesService } from './messages.service.js';
import { Search } from './search.js';
import { TicketsService } from './tickets.service.js';
import { Transactions } from './transactions.js';
import { TriageService } from './triage.service.js';

const SERVICES = [
  AgentsService,
  AttachmentsService,
  CustomersService,
  DownloadsService,
  Events,
  Files,
  GroupsService,
  MailboxesService,
  MessagesService,
  TicketsService,
  TriageService,
];

@Module({
  imports: [ListsModule, StorageModule],
  providers: [...SERVICES, CustomerCopies, FolderTotals, Search, TicketLists, Transactions],
  exports: SERVICES,
})
export class DeskModule {}
