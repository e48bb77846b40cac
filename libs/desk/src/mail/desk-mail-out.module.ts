import { Module } from '@nestjs/common';
import { DeskUpkeepModule } from '../desk-upkeep.module.js';
import { AgentNoticesService } from './agent-notices.service.js';
import { AgentReplyAddresses } from './agent-reply-addresses.js';
import { MessageMailsService } from './message-mails.service.js';
import { ReplyAddresses } from './reply-addresses.js';
import { TestMailsService } from './test-mails.service.js';

/** What a worker writes: messages for customers, notices for agents, and mails by which mailboxes are tested. */
@Module({
  imports: [DeskUpkeepModule],
  providers: [AgentNoticesService, AgentReplyAddresses, MessageMailsService, ReplyAddresses, TestMailsService],
  exports: [AgentNoticesService, MessageMailsService, TestMailsService],
})
export class DeskMailOutModule {}
