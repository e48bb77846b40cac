import { Transactions } from '#libs/database';
import { EventsModule } from '#libs/events';
import { ListsModule } from '#libs/lists';
import { Module } from '@nestjs/common';
import { toDomainError } from './constraint-errors.js';
import { MailTicketsModule } from './mail/mail-tickets.module.js';
import * as services from './services.js';

const SERVICES = Object.values(services);

@Module({
  imports: [EventsModule, ListsModule, MailTicketsModule],
  providers: [...SERVICES, Transactions.provider(toDomainError)],
  exports: [...SERVICES, MailTicketsModule],
})
export class TicketsModule {}
