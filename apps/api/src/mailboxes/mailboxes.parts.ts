import type { ModuleMetadata } from '@nestjs/common';
import { ArrivalsController } from './arrivals.controller.js';
import { MailboxPagesController } from './mailbox-pages.controller.js';
import { MailboxFormsService, MailboxServerPagesController } from './mailbox-server-pages.controller.js';
import { ImapController, ImapImportController, MailboxesController, SmtpController } from './mailboxes.controller.js';
import { OutgoingMailsController } from './outgoing-mails.controller.js';
import { QuarantineController } from './quarantine.controller.js';

export const MAILBOXES_PARTS = {
  controllers: [
    ArrivalsController,
    MailboxPagesController,
    MailboxServerPagesController,
    ImapController,
    ImapImportController,
    MailboxesController,
    SmtpController,
    OutgoingMailsController,
    QuarantineController,
  ],
  providers: [MailboxFormsService],
} satisfies ModuleMetadata;
