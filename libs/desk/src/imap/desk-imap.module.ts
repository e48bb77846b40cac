import { Module } from '@nestjs/common';
import { DeskUpkeepModule } from '../desk-upkeep.module.js';
import { ImapLeases } from './imap-leases.service.js';
import { ImapMailsService } from './imap-mails.service.js';
import { ImapSecretsService } from './imap-secrets.service.js';

/** What a worker needs to bring mail in by IMAP. */
@Module({
  imports: [DeskUpkeepModule],
  providers: [ImapLeases, ImapMailsService, ImapSecretsService],
  exports: [ImapLeases, ImapMailsService, ImapSecretsService],
})
export class DeskImapModule {}
