import { Module } from '@nestjs/common';
import { QueueModule } from '../queue/queue.module.js';
import { RelayService } from './relay.service.js';

@Module({ imports: [QueueModule], providers: [RelayService], exports: [RelayService] })
export class RelayModule {}
