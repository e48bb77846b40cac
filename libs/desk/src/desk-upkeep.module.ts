import { StorageModule } from '#libs/storage';
import { Module } from '@nestjs/common';
import { DeletedTicketsService } from './deleted-tickets.service.js';
import { FilesService } from './files.service.js';
import { RawMailsService } from './mail/raw-mails.service.js';
import { SearchWalksService } from './search/search-walks.service.js';
import { SnoozedTicketsService } from './snoozed-tickets.service.js';

/** What a worker removes of the desk, without the rest of it. */
@Module({
  imports: [StorageModule],
  providers: [DeletedTicketsService, FilesService, RawMailsService, SearchWalksService, SnoozedTicketsService],
  exports: [DeletedTicketsService, FilesService, RawMailsService, SearchWalksService, SnoozedTicketsService],
})
export class DeskUpkeepModule {}
