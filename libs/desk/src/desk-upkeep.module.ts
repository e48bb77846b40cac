import { StorageModule } from '#libs/storage';
import { Module } from '@nestjs/common';
import { DeletedTickets } from './deleted-tickets.js';
import { Files } from './files.js';

/** What a worker removes of the desk, without the rest of it. */
@Module({ imports: [StorageModule], providers: [DeletedTickets, Files], exports: [DeletedTickets, Files] })
export class DeskUpkeepModule {}
