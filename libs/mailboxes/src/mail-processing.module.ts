import { Transactions } from '#libs/database';
import { EventsModule } from '#libs/events';
import { StorageModule } from '#libs/storage';
import { BodyRenderer, CustomerMailsService, FilesService, ReplyAddressesService, toDomainError } from '#libs/tickets';
import { Module } from '@nestjs/common';
import { CheckMailsService } from './checks/check-mails.service.js';
import { ImapLeasesService, ImapSecretsService } from './imap/imap-leases.service.js';
import { ImapMailsService } from './imap/imap-mails.service.js';
import { AgentRepliesService } from './inbound/agent-replies.service.js';
import { AgentReplyAddressesService } from './inbound/agent-reply-addresses.service.js';
import { AgentReplyValidator } from './inbound/agent-reply.validator.js';
import { BouncesService } from './inbound/bounces.service.js';
import { CustomerMailDeliveryService } from './inbound/customer-mail-delivery.service.js';
import { InboundMailClaimsService } from './inbound/inbound-mail-claims.service.js';
import { InboundMailProcessor } from './inbound/inbound-mail.processor.js';
import { MailAttachmentsService } from './inbound/mail-attachments.service.js';
import { MailContentsService } from './inbound/mail-contents.service.js';
import { MailDeliveryService } from './inbound/mail-delivery.service.js';
import { MailClassifier } from './inbound/mail.classifier.js';
import { MailParser } from './inbound/mail.parser.js';
import { AgentNoticesService } from './outbound/agent-notices.service.js';
import { MessageMailsService } from './outbound/message-mails.service.js';

const SERVICES = [
  AgentNoticesService,
  CheckMailsService,
  ImapLeasesService,
  ImapMailsService,
  ImapSecretsService,
  InboundMailProcessor,
  MessageMailsService,
];

@Module({
  imports: [EventsModule, StorageModule],
  providers: [
    ...SERVICES,
    AgentRepliesService,
    AgentReplyAddressesService,
    AgentReplyValidator,
    BodyRenderer,
    BouncesService,
    CustomerMailDeliveryService,
    CustomerMailsService,
    FilesService,
    InboundMailClaimsService,
    MailAttachmentsService,
    MailClassifier,
    MailContentsService,
    MailDeliveryService,
    MailParser,
    ReplyAddressesService,
    Transactions.provider(toDomainError),
  ],
  exports: SERVICES,
})
export class MailProcessingModule {}
