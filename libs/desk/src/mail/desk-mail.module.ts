import { Transactions } from '#libs/database';
import { EventsModule } from '#libs/events';
import { Module } from '@nestjs/common';
import { BodyRenderer } from '../bodies/body-renderer.js';
import { DeskUpkeepModule } from '../desk-upkeep.module.js';
import { refusalOf } from '../refusals.js';
import { AgentAnswersService } from './agent-answers.service.js';
import { AgentRepliesService } from './agent-replies.service.js';
import { AgentReplyAddresses } from './agent-reply-addresses.js';
import { ArrivedMailsService } from './arrived-mails.service.js';
import { BroughtMailService } from './brought-mail.service.js';
import { CustomerMailsService } from './customer-mails.service.js';
import { MailAttachments } from './mail-attachments.service.js';
import { MailContents } from './mail-contents.service.js';
import { MailReader } from './mail-reader.js';
import { MailTelemetry } from './mail-telemetry.js';
import { MailUnderstandingService } from './mail-understanding.service.js';
import { OwnMailsService } from './own-mails.service.js';
import { ReplyAddresses } from './reply-addresses.js';
import { ReturnedMailsService } from './returned-mails.service.js';
import { ReturnedTestsService } from './returned-tests.service.js';

/** What a worker makes of the mail that was accepted. */
@Module({
  imports: [DeskUpkeepModule, EventsModule],
  providers: [
    AgentAnswersService,
    AgentRepliesService,
    AgentReplyAddresses,
    ArrivedMailsService,
    BodyRenderer,
    BroughtMailService,
    CustomerMailsService,
    MailAttachments,
    MailContents,
    MailReader,
    MailTelemetry,
    MailUnderstandingService,
    OwnMailsService,
    ReplyAddresses,
    ReturnedMailsService,
    ReturnedTestsService,
    Transactions.provider(refusalOf),
  ],
  exports: [MailUnderstandingService],
})
export class DeskMailModule {}
