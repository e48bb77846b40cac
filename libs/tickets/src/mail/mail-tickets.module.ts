import { Transactions } from '#libs/database';
import { EventsModule } from '#libs/events';
import { StorageModule } from '#libs/storage';
import { Module } from '@nestjs/common';
import { FilesService } from '../attachments/files.service.js';
import { BodyRenderer } from '../bodies/body-renderer.js';
import { toDomainError } from '../constraint-errors.js';
import { CustomerMailsService } from '../recipients/customer-mails.service.js';
import { ReplyAddressesService } from '../recipients/reply-addresses.service.js';
import { MailContentsService } from './mail-contents.service.js';
import { MailTicketsService } from './mail-tickets.service.js';

const SERVICES = [
  BodyRenderer,
  CustomerMailsService,
  FilesService,
  MailContentsService,
  MailTicketsService,
  ReplyAddressesService,
];

/** Provides what the processing of emails needs, without the services of the API. */
@Module({
  imports: [EventsModule, StorageModule],
  providers: [...SERVICES, Transactions.provider(toDomainError)],
  exports: SERVICES,
})
export class MailTicketsModule {}
