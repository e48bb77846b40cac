import { DeskModule } from '#libs/desk';
import { Module } from '@nestjs/common';
import { ShellModule } from '../shell/shell.module.js';
import { ConsoleMailboxController } from './mailbox.controller.js';
import { ConsoleMailboxImapController } from './mailbox-imap.controller.js';
import { ConsoleMailboxSmtpController } from './smtp.controller.js';
import { MailboxReader } from './mailbox.reader.js';

/** The page of one mailbox. */
@Module({
  imports: [DeskModule, ShellModule],
  controllers: [ConsoleMailboxController, ConsoleMailboxImapController, ConsoleMailboxSmtpController],
  providers: [MailboxReader],
})
export class ConsoleMailboxModule {}
