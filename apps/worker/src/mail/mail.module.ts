import { SingleUseLinksService } from '#libs/access';
import { SmtpSender } from '#libs/mail';
import { MailProcessingModule } from '#libs/mailboxes';
import { Links } from '#libs/payloads';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { AttachmentFolder } from '#libs/tickets';
import { Module } from '@nestjs/common';
import { AccessTokens } from './imap/access-tokens.js';
import { ImapConnections } from './imap/imap-connections.js';
import { ImapService } from './imap/imap.service.js';
import { MailServerAddresses } from './imap/mail-server-addresses.js';
import { MailboxSessions } from './imap/mailbox-sessions.js';
import { ArrivalsService } from './inbound/arrivals.service.js';
import { LinkMailsService } from './outbound/link-mails.service.js';
import { MailAttemptsService } from './outbound/mail-attempts.service.js';
import { MailClaims } from './outbound/mail-claims.js';
import { MailSendingService } from './outbound/mail-sending.service.js';
import { MailWriters } from './outbound/mail-writers.js';

/** Fetches mail by IMAP, processes accepted mail, and sends mail. */
@Module({
  imports: [MailProcessingModule],
  providers: [
    AttachmentFolder,
    AccessTokens,
    ArrivalsService,
    ImapConnections,
    ImapService,
    LinkMailsService,
    { provide: Links, inject: [SETTINGS_TOKEN], useFactory: (settings: Settings) => new Links(settings.PUBLIC_URL) },
    MailAttemptsService,
    MailClaims,
    MailSendingService,
    MailServerAddresses,
    MailWriters,
    MailboxSessions,
    SingleUseLinksService,
    SmtpSender,
  ],
  exports: [ArrivalsService, ImapService, MailAttemptsService, MailClaims, MailSendingService],
})
export class MailModule {}
