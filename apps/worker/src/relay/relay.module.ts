import { Module } from '@nestjs/common';
import { QueueModule } from '../queue/queue.module.js';
import { EventClaims } from './event-claims.js';
import { RelayService } from './relay.service.js';

@Module({ imports: [QueueModule], providers: [EventClaims, RelayService], exports: [RelayService] })
export class RelayModule {}
