import { DeskImapModule } from '#libs/desk';
import { Module } from '@nestjs/common';
import { FairnessModule } from '../fairness/fairness.module.js';
import { AccessTokens } from './access-tokens.js';
import { ImapConnections } from './imap-connections.js';
import { ImapService } from './imap.service.js';
import { MailboxSessions } from './mailbox-sessions.js';
import { MailServerAddresses } from './mail-server-addresses.js';

@Module({
  imports: [DeskImapModule, FairnessModule],
  providers: [AccessTokens, ImapConnections, ImapService, MailServerAddresses, MailboxSessions],
  exports: [ImapService],
})
export class ImapModule {}
