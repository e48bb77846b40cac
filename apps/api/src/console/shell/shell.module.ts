import { DeskModule } from '#libs/desk';
import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { IdempotencyService } from '../../http/idempotency.service.js';
import { SignInModule } from '../../sign-in/sign-in.module.js';
import { TicketChoicesReader } from '../inbox/ticket-choices.reader.js';
import { RailViewsReader } from '../views/rail-views.reader.js';
import { Topics } from '../live/topics.js';
import { Navigation } from './navigation.js';
import { RailReader } from './rail.reader.js';

/** What every controller of the console needs. */
@Module({
  imports: [DeskModule, DiscoveryModule, SignInModule],
  providers: [Navigation, IdempotencyService, RailReader, RailViewsReader, TicketChoicesReader, Topics],
  exports: [Navigation, IdempotencyService, RailReader, RailViewsReader, SignInModule, TicketChoicesReader, Topics],
})
export class ShellModule {}
