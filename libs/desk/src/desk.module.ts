import { Transactions } from '#libs/database';
import { Arrival, Group, GroupMember, Mailbox, Ticket } from '#libs/entities';
import { EventsModule } from '#libs/events';
import { ListsModule } from '#libs/lists';
import { StorageModule } from '#libs/storage';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BodyRenderer } from './bodies/body-renderer.js';
import { GroupsRepository } from './groups.repository.js';
import { MailboxesRepository } from './mailboxes.repository.js';
import { FolderCountsService } from './lists/folder-counts.service.js';
import { TicketListsService } from './lists/ticket-lists.service.js';
import { AgentReplyAddresses } from './mail/agent-reply-addresses.js';
import { ReplyAddresses } from './mail/reply-addresses.js';
import { NewTicketsService } from './new-tickets.service.js';
import { refusalOf } from './refusals.js';
import { SearchPlanner } from './search/search-plan.js';
import { TicketChanges } from './ticket-changes.js';
import * as services from './services.js';

const SERVICES = Object.values(services);

@Module({
  imports: [
    TypeOrmModule.forFeature([Arrival, Group, GroupMember, Mailbox, Ticket]),
    EventsModule,
    ListsModule,
    StorageModule,
  ],
  providers: [
    ...SERVICES,
    AgentReplyAddresses,
    BodyRenderer,
    FolderCountsService,
    GroupsRepository,
    MailboxesRepository,
    NewTicketsService,
    ReplyAddresses,
    SearchPlanner,
    TicketChanges,
    TicketListsService,
    Transactions.provider(refusalOf),
  ],
  exports: SERVICES,
})
export class DeskModule {}
