import { Transactions } from '#libs/database';
import { EventsModule } from '#libs/events';
import { ListsModule } from '#libs/lists';
import { SecretBox } from '#libs/secret-box';
import { MailTicketsModule, TicketsModule, toDomainError } from '#libs/tickets';
import { Module } from '@nestjs/common';
import { CheckMailsService } from './checks/check-mails.service.js';
import { MailboxChecksService } from './checks/mailbox-checks.service.js';
import { ImapAccountsService } from './imap/imap-accounts.service.js';
import { ImapLeasesService } from './imap/imap-leases.service.js';
import { ImapMailsService } from './imap/imap-mails.service.js';
import { AddressedMailboxesService } from './inbound/addressed-mailboxes.service.js';
import { AgentReplyAddressesService } from './inbound/agent-reply-addresses.service.js';
import { AgentReplyValidator } from './inbound/agent-reply.validator.js';
import { BouncesService } from './inbound/bounces.service.js';
import { InboundMailClaimsService } from './inbound/inbound-mail-claims.service.js';
import { InboundMailProcessor } from './inbound/inbound-mail.processor.js';
import { InboundMailService } from './inbound/inbound-mail.service.js';
import { MailDeliveryService } from './inbound/mail-delivery.service.js';
import { MailClassifier } from './inbound/mail.classifier.js';
import { MailParser } from './inbound/mail.parser.js';
import { QuarantineService } from './inbound/quarantine.service.js';
import { RawMailsService } from './inbound/raw-mails.service.js';
import { TicketMailDeliveryService } from './inbound/ticket-mail-delivery.service.js';
import { MailboxSmtpService } from './mailbox-smtp.service.js';
import { MailboxesService } from './mailboxes.service.js';
import { AgentNoticesService } from './outbound/agent-notices.service.js';
import { MessageMailsService } from './outbound/message-mails.service.js';
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
];

@Module({
  imports: [EventsModule, ListsModule, TicketsModule],
  providers: [
    ...SERVICES,
    AgentReplyAddressesService,
    MessageMailsService,
    SecretBox.provider,
    Transactions.provider(toDomainError),
  ],
  exports: SERVICES,
})
export class MailboxesModule {}

const PROCESSING = [
  AgentNoticesService,
  CheckMailsService,
  ImapLeasesService,
  ImapMailsService,
  InboundMailProcessor,
  MessageMailsService,
];

@Module({
  imports: [EventsModule, MailTicketsModule],
  providers: [
    ...PROCESSING,
    AgentReplyAddressesService,
    AgentReplyValidator,
    BouncesService,
    InboundMailClaimsService,
    MailClassifier,
    MailDeliveryService,
    MailParser,
    RawMailsService,
    SecretBox.provider,
    TicketMailDeliveryService,
    Transactions.provider(toDomainError),
  ],
  exports: PROCESSING,
})
export class MailProcessingModule {}
