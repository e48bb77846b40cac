import { Transactions } from '#libs/database';
import { EventsModule } from '#libs/events';
import { ListsModule } from '#libs/lists';
import { StorageModule } from '#libs/storage';
import { Module } from '@nestjs/common';
import { AttachmentsService } from './attachments/attachments.service.js';
import { DownloadsService } from './attachments/downloads.service.js';
import { FilesService } from './attachments/files.service.js';
import { ImagesService } from './attachments/images.service.js';
import { BodyRenderer } from './bodies/body-renderer.js';
import { ShownBodiesService } from './bodies/shown-bodies.service.js';
import { ChangesService } from './changes/changes.service.js';
import { toDomainError } from './constraint-errors.js';
import { CustomersService } from './customers/customers.service.js';
import { FolderCountsService } from './lists/folder-counts.service.js';
import { TicketListsService } from './lists/ticket-lists.service.js';
import { DraftsService } from './messages/drafts.service.js';
import { ScheduledRepliesService } from './messages/scheduled-replies.service.js';
import { MessagesService } from './messages/messages.service.js';
import { NewMessagesService } from './messages/new-messages.service.js';
import { NewTicketsService } from './new-tickets.service.js';
import { AgentsService } from './people/agents.service.js';
import { GroupsService } from './people/groups.service.js';
import { ListDensityService, TimeZonesService, UndoSendingService } from './people/preferences.service.js';
import { CustomerMailsService } from './recipients/customer-mails.service.js';
import { ReplyAddressesService } from './recipients/reply-addresses.service.js';
import { SearchHitsService } from './search/search-hits.service.js';
import { TicketsService } from './tickets.service.js';
import { TriageService } from './triage.service.js';
import { SavedViewsService } from './views/saved-views.service.js';
import { ViewCountsService } from './views/view-counts.service.js';
import { WholeTicketsService } from './whole-tickets.service.js';

const SERVICES = [
  AgentsService,
  AttachmentsService,
  BodyRenderer,
  ChangesService,
  CustomerMailsService,
  CustomersService,
  DownloadsService,
  DraftsService,
  FilesService,
  GroupsService,
  ScheduledRepliesService,
  ImagesService,
  ListDensityService,
  MessagesService,
  ReplyAddressesService,
  SavedViewsService,
  SearchHitsService,
  ShownBodiesService,
  TicketsService,
  TimeZonesService,
  TriageService,
  UndoSendingService,
  ViewCountsService,
  WholeTicketsService,
];

@Module({
  imports: [EventsModule, ListsModule, StorageModule],
  providers: [
    ...SERVICES,
    FolderCountsService,
    NewMessagesService,
    NewTicketsService,
    TicketListsService,
    Transactions.provider(toDomainError),
  ],
  exports: SERVICES,
})
export class TicketsModule {}
