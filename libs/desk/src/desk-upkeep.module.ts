import { StorageModule } from '#libs/storage';
import { Module } from '@nestjs/common';
import { DeletedTicketsService } from './deleted-tickets.service.js';
import { FilesService } from './files.service.js';

/** What a worker removes of the desk, without the rest of it. */
@Module({
  imports: [StorageModule],
  providers: [DeletedTicketsService, FilesService],
  exports: [DeletedTicketsService, FilesService],
})
export class DeskUpkeepModule {}
