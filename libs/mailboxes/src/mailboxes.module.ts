import { Transactions } from '#libs/database';
import { Arrival, Mailbox, Ticket } from '#libs/entities';
import { EventsModule } from '#libs/events';
import { ListsModule } from '#libs/lists';
import { TicketsModule, refusalOf } from '#libs/tickets';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailboxTestsService } from './checks/mailbox-checks.service.js';
import { ImapAccountsService } from './imap/imap-accounts.service.js';
import { ImapImportsService } from './imap/imap-imports.service.js';
import { AgentReplyAddressesService } from './inbound/agent-reply-addresses.service.js';
import { HeldMailsService } from './inbound/held-mails.service.js';
import { ArrivalsService } from './inbound/inbound-mail.service.js';
import { MailRoutesService } from './inbound/mail-routes.service.js';
import { UnknownSenderLimiter } from './inbound/unknown-sender.limiter.js';
import { MailboxSmtpService } from './mailbox-smtp.service.js';
import { MailboxesRepository } from './mailboxes.repository.js';
import { MailboxesService } from './mailboxes.service.js';
import { ReplyNoticesService } from './outbound/agent-notices.service.js';
import { OutgoingMailsService } from './outbound/outgoing-mails.service.js';

const SERVICES = [
  ArrivalsService,
  HeldMailsService,
  ImapAccountsService,
  ImapImportsService,
  MailRoutesService,
  MailboxSmtpService,
  MailboxTestsService,
  MailboxesService,
  OutgoingMailsService,
  ReplyNoticesService,
];

/** Mailboxes, their servers, and the mail that they receive and send. */
@Module({
  imports: [TypeOrmModule.forFeature([Arrival, Mailbox, Ticket]), EventsModule, ListsModule, TicketsModule],
  providers: [
    ...SERVICES,
    AgentReplyAddressesService,
    MailboxesRepository,
    UnknownSenderLimiter,
    Transactions.provider(refusalOf),
  ],
  exports: SERVICES,
})
export class MailboxesModule {}
