import { AttachmentFolder, DeskMailModule } from '#libs/desk';
import { Module } from '@nestjs/common';
import { ArrivalsService } from './arrivals.service.js';

@Module({ imports: [DeskMailModule], providers: [ArrivalsService, AttachmentFolder], exports: [ArrivalsService] })
export class ArrivalsModule {}
