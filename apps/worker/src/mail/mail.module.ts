import { SingleUseLinksService } from '#libs/access';
import { SmtpSender } from '#libs/mail';
import { MailProcessingModule } from '#libs/mailboxes';
import { AttachmentFolderService } from '#libs/tickets';
import { Module } from '@nestjs/common';
import { ImapConnectionsService } from './imap/imap-connections.service.js';
import { ImapLoop } from './imap/imap.loop.js';
import { MailHostsService } from './imap/mail-hosts.service.js';
import { OAuthTokensService } from './imap/oauth-tokens.service.js';
import { InboundMailLoop } from './inbound/inbound-mail.loop.js';
import { MailWritersService } from './outbound/mail-writers.service.js';
import { AccountMailsService } from './outbound/account-mails.service.js';
import { MailSendingService } from './outbound/mail-sending.service.js';
import { MailAttemptsService } from './outbound/mail-attempts.service.js';
import { MailClaimsService } from './outbound/mail-claims.service.js';

@Module({
  imports: [MailProcessingModule],
  providers: [
    AttachmentFolderService,
    InboundMailLoop,
    ImapConnectionsService,
    ImapLoop,
    AccountMailsService,
    MailAttemptsService,
    MailClaimsService,
    MailHostsService,
    MailSendingService,
    MailWritersService,
    OAuthTokensService,
    SingleUseLinksService,
    SmtpSender,
  ],
  exports: [InboundMailLoop, ImapLoop, MailAttemptsService, MailClaimsService, MailSendingService],
})
export class MailModule {}
