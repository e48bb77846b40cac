import { SingleUseLinksService } from '#libs/access';
import { DeskMailOutModule } from '#libs/desk';
import { SmtpSender } from '#libs/mail';
import { Links } from '#libs/payloads';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Module } from '@nestjs/common';
import { FairnessModule } from '../fairness/fairness.module.js';
import { LinkMailsService } from './link-mails.service.js';
import { MailAttemptsService } from './mail-attempts.service.js';
import { MailClaims } from './mail-claims.js';
import { MailSendingService } from './mail-sending.service.js';
import { MailWriters } from './mail-writers.js';

@Module({
  imports: [DeskMailOutModule, FairnessModule],
  providers: [
    { provide: Links, inject: [SETTINGS_TOKEN], useFactory: (settings: Settings) => new Links(settings.PUBLIC_URL) },
    LinkMailsService,
    MailAttemptsService,
    MailClaims,
    MailSendingService,
    MailWriters,
    SingleUseLinksService,
    SmtpSender,
  ],
  exports: [MailAttemptsService, MailClaims, MailSendingService],
})
export class MailModule {}
