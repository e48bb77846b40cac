import { Module } from '@nestjs/common';
import { EventsService } from './events.service.js';

/** What happens in an account: events for webhooks, activities for people. */
@Module({ providers: [EventsService], exports: [EventsService] })
export class EventsModule {}
