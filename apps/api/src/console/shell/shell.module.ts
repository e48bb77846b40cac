import { DeskModule } from '#libs/desk';
import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { IdempotencyService } from '../../http/idempotency.service.js';
import { SignInModule } from '../../sign-in/sign-in.module.js';
import { TicketChoicesReader } from '../inbox/ticket-choices.reader.js';
import { RailListsReader } from '../views/rail-lists.reader.js';
import { Topics } from '../live/topics.js';
import { Navigation } from './navigation.js';
import { RailReader } from './rail.reader.js';

/** What every controller of the console needs. */
@Module({
  imports: [DeskModule, DiscoveryModule, SignInModule],
  providers: [Navigation, IdempotencyService, RailListsReader, RailReader, TicketChoicesReader, Topics],
  exports: [Navigation, IdempotencyService, RailListsReader, RailReader, SignInModule, TicketChoicesReader, Topics],
})
export class ShellModule {}
