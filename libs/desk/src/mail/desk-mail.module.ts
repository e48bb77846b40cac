import { Transactions } from '#libs/database';
import { EventsModule } from '#libs/events';
import { Module } from '@nestjs/common';
import { BodyRenderer } from '../bodies/body-renderer.js';
import { DeskUpkeepModule } from '../desk-upkeep.module.js';
import { refusalOf } from '../refusals.js';
import { ArrivedMailsService } from './arrived-mails.service.js';
import { BroughtMailService } from './brought-mail.service.js';
import { MailReader } from './mail-reader.js';
import { MailTelemetry } from './mail-telemetry.js';
import { MailUnderstandingService } from './mail-understanding.service.js';
import { ReplyAddresses } from './reply-addresses.js';
import { ReturnedMailsService } from './returned-mails.service.js';
import { ReturnedTestsService } from './returned-tests.service.js';

/** What a worker makes of the mail that was accepted. */
@Module({
  imports: [DeskUpkeepModule, EventsModule],
  providers: [
    ArrivedMailsService,
    BodyRenderer,
    BroughtMailService,
    MailReader,
    MailTelemetry,
    MailUnderstandingService,
    ReplyAddresses,
    ReturnedMailsService,
    ReturnedTestsService,
    Transactions.provider(refusalOf),
  ],
  exports: [MailUnderstandingService],
})
export class DeskMailModule {}
