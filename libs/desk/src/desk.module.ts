import { Transactions } from '#libs/database';
import { Group, GroupMember, Ticket } from '#libs/entities';
import { EventsModule } from '#libs/events';
import { ListsModule } from '#libs/lists';
import { StorageModule } from '#libs/storage';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AgentsService } from './agents.service.js';
import { AttachmentsService } from './attachments.service.js';
import { CustomersService } from './customers.service.js';
import { CustomerCopiesService } from './customer-copies.service.js';
import { DownloadsService } from './downloads.service.js';
import { FilesService } from './files.service.js';
import { GroupsRepository } from './groups.repository.js';
import { GroupsService } from './groups.service.js';
import { FolderCountsService } from './lists/folder-counts.service.js';
import { TicketListsService } from './lists/ticket-lists.service.js';
import { MailboxesService } from './mailboxes.service.js';
import { MessagesService } from './messages.service.js';
import { refusalOf } from './refusals.js';
import { SearchService } from './search.service.js';
import { TicketsService } from './tickets.service.js';
import { TriageService } from './triage.service.js';

const SERVICES = [
  AgentsService,
  AttachmentsService,
  CustomersService,
  DownloadsService,
  FilesService,
  GroupsService,
  MailboxesService,
  MessagesService,
  TicketsService,
  TriageService,
];

@Module({
  imports: [TypeOrmModule.forFeature([Group, GroupMember, Ticket]), EventsModule, ListsModule, StorageModule],
  providers: [
    ...SERVICES,
    CustomerCopiesService,
    FolderCountsService,
    GroupsRepository,
    SearchService,
    TicketListsService,
    Transactions.provider(refusalOf),
  ],
  exports: SERVICES,
})
export class DeskModule {}
