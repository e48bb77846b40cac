import { Transactions } from '#libs/database';
import { EventsModule } from '#libs/events';
import { ListsModule } from '#libs/lists';
import { StorageModule } from '#libs/storage';
import { Module } from '@nestjs/common';
import { toDomainError } from './constraint-errors.js';
import * as services from './services.js';

const SERVICES = Object.values(services);

@Module({
  imports: [EventsModule, ListsModule, StorageModule],
  providers: [...SERVICES, Transactions.provider(toDomainError)],
  exports: SERVICES,
})
export class TicketsModule {}
