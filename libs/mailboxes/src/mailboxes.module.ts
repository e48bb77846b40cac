import { Transactions } from '#libs/database';
import { Arrival, Mailbox, Ticket } from '#libs/entities';
import { EventsModule } from '#libs/events';
import { ListsModule } from '#libs/lists';
import { TicketsModule, toDomainError } from '#libs/tickets';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailboxChecksService } from './checks/mailbox-checks.service.js';
import { ImapAccountsService } from './imap/imap-accounts.service.js';
import { ImapImportsService } from './imap/imap-imports.service.js';
import { AgentReplyAddressesService } from './inbound/agent-reply-addresses.service.js';
import { QuarantineService } from './inbound/quarantine.service.js';
import { InboundMailService } from './inbound/inbound-mail.service.js';
import { AddressedMailboxesService } from './inbound/addressed-mailboxes.service.js';
import { UnknownSenderLimiter } from './inbound/unknown-sender.limiter.js';
import { MailboxSmtpService } from './mailbox-smtp.service.js';
import { MailboxesRepository } from './mailboxes.repository.js';
import { MailboxesService } from './mailboxes.service.js';
import { ReplyNoticesService } from './outbound/agent-notices.service.js';
import { OutgoingMailsService } from './outbound/outgoing-mails.service.js';

const SERVICES = [
  InboundMailService,
  QuarantineService,
  ImapAccountsService,
  ImapImportsService,
  AddressedMailboxesService,
  MailboxSmtpService,
  MailboxChecksService,
  MailboxesService,
  OutgoingMailsService,
  ReplyNoticesService,
];

@Module({
  imports: [TypeOrmModule.forFeature([Arrival, Mailbox, Ticket]), EventsModule, ListsModule, TicketsModule],
  providers: [
    ...SERVICES,
    AgentReplyAddressesService,
    MailboxesRepository,
    UnknownSenderLimiter,
    Transactions.provider(toDomainError),
  ],
  exports: SERVICES,
})
export class MailboxesModule {}
