import { Module } from '@nestjs/common';
import { Events } from './events.js';
import { TicketsService } from './tickets.service.js';

@Module({ providers: [Events, TicketsService], exports: [Events, TicketsService] })
export class DeskModule {}
