import { SingleUseLinksService } from '#libs/access';
import { SmtpSender } from '#libs/mail';
import { MailProcessingModule } from '#libs/mailboxes';
import { Links } from '#libs/payloads';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { AttachmentFolderService } from '#libs/tickets';
import { Module } from '@nestjs/common';
import { ImapAccessTokensService } from './imap/imap-access-tokens.service.js';
import { ImapConnectionsService } from './imap/imap-connections.service.js';
import { ImapLoop } from './imap/imap.loop.js';
import { MailServerAddressesService } from './imap/mail-server-addresses.service.js';
import { InboundMailLoop } from './inbound/inbound-mail.loop.js';
import { LinkMailsService } from './outbound/link-mails.service.js';
import { MailAttemptsService } from './outbound/mail-attempts.service.js';
import { MailClaimsService } from './outbound/mail-claims.service.js';
import { MailSendingService } from './outbound/mail-sending.service.js';
import { MailWritersService } from './outbound/mail-writers.service.js';

@Module({
  imports: [MailProcessingModule],
  providers: [
    AttachmentFolderService,
    ImapAccessTokensService,
    InboundMailLoop,
    ImapConnectionsService,
    ImapLoop,
    LinkMailsService,
    { provide: Links, inject: [SETTINGS_TOKEN], useFactory: (settings: Settings) => new Links(settings.PUBLIC_URL) },
    MailAttemptsService,
    MailClaimsService,
    MailSendingService,
    MailServerAddressesService,
    MailWritersService,
    SingleUseLinksService,
    SmtpSender,
  ],
  exports: [InboundMailLoop, ImapLoop, MailAttemptsService, MailClaimsService, MailSendingService],
})
export class MailModule {}
