import { Module } from '@nestjs/common';
import { DeskUpkeepModule } from '../desk-upkeep.module.js';
import { MessageMailsService } from './message-mails.service.js';
import { ReplyAddresses } from './reply-addresses.js';

/** What a worker writes to customers of messages that go out by mail. */
@Module({
  imports: [DeskUpkeepModule],
  providers: [MessageMailsService, ReplyAddresses],
  exports: [MessageMailsService],
})
export class DeskMailOutModule {}
