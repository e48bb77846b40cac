import { Module } from '@nestjs/common';
import { DeskUpkeepModule } from '../desk-upkeep.module.js';
import { MessageMailsService } from './message-mails.service.js';
import { ReplyAddresses } from './reply-addresses.js';
import { TestMailsService } from './test-mails.service.js';

/** What a worker writes: messages for customers, and mails by which mailboxes are tested. */
@Module({
  imports: [DeskUpkeepModule],
  providers: [MessageMailsService, ReplyAddresses, TestMailsService],
  exports: [MessageMailsService, TestMailsService],
})
export class DeskMailOutModule {}
