import { Module } from '@nestjs/common';
import { DeskUpkeepModule } from '../desk-upkeep.module.js';
import { ImapLeases } from './imap-leases.service.js';
import { ImapMailsService } from './imap-mails.service.js';
import { ImapSecretsService } from './imap-secrets.service.js';
import { OlderMailsService } from './older-mails.service.js';

/** What a worker needs to bring mail in by IMAP. */
@Module({
  imports: [DeskUpkeepModule],
  providers: [ImapLeases, ImapMailsService, ImapSecretsService, OlderMailsService],
  exports: [ImapLeases, ImapMailsService, ImapSecretsService, OlderMailsService],
})
export class DeskImapModule {}
