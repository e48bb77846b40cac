import { Transactions } from '#libs/database';
import { EventsModule } from '#libs/events';
import { ListsModule } from '#libs/lists';
import { TicketsModule, toDomainError } from '#libs/tickets';
import { Module } from '@nestjs/common';
import { MailboxChecksService } from './checks/mailbox-checks.service.js';
import { ImapAccountsService } from './imap/imap-accounts.service.js';
import { AgentReplyAddressesService } from './inbound/agent-reply-addresses.service.js';
import { QuarantineService } from './inbound/quarantine.service.js';
import { InboundMailService } from './inbound/inbound-mail.service.js';
import { AddressedMailboxesService } from './inbound/addressed-mailboxes.service.js';
import { MailboxSmtpService } from './mailbox-smtp.service.js';
import { MailboxesService } from './mailboxes.service.js';
import { ReplyNoticesService } from './outbound/agent-notices.service.js';
import { OutgoingMailsService } from './outbound/outgoing-mails.service.js';

const SERVICES = [
  InboundMailService,
  QuarantineService,
  ImapAccountsService,
  AddressedMailboxesService,
  MailboxSmtpService,
  MailboxChecksService,
  MailboxesService,
  OutgoingMailsService,
  ReplyNoticesService,
];

@Module({
  imports: [EventsModule, ListsModule, TicketsModule],
  providers: [...SERVICES, AgentReplyAddressesService, Transactions.provider(toDomainError)],
  exports: SERVICES,
})
export class MailboxesModule {}
