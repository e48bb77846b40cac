import { Transactions } from '#libs/database';
import { EventsModule } from '#libs/events';
import { StorageModule } from '#libs/storage';
import { BodyRenderer, CustomerMailsService, FilesService, ReplyAddressesService, refusalOf } from '#libs/tickets';
import { Module } from '@nestjs/common';
import { ReturnedTestsService } from './checks/returned-tests.service.js';
import { TestMailsService } from './checks/test-mails.service.js';
import { ImapLeasesService } from './imap/imap-leases.service.js';
import { ImapMailsService } from './imap/imap-mails.service.js';
import { ImapSecretsService } from './imap/imap-secrets.service.js';
import { OlderMailsService } from './imap/older-mails.service.js';
import { AgentAnswersService } from './inbound/agent-answers.service.js';
import { AgentRepliesService } from './inbound/agent-replies.service.js';
import { AgentReplyAddressesService } from './inbound/agent-reply-addresses.service.js';
import { ArrivedMailsService } from './inbound/arrived-mails.service.js';
import { BroughtMailService } from './inbound/brought-mail.service.js';
import { MailAttachmentsService } from './inbound/mail-attachments.service.js';
import { MailContentsService } from './inbound/mail-contents.service.js';
import { MailReader } from './inbound/mail-reader.js';
import { MailMetrics } from './inbound/mail-metrics.js';
import { MailUnderstandingService } from './inbound/mail-understanding.service.js';
import { OwnMailsService } from './inbound/own-mails.service.js';
import { ReturnedMailsService } from './inbound/returned-mails.service.js';
import { AgentNoticesService } from './outbound/agent-notices.service.js';
import { MessageMailsService } from './outbound/message-mails.service.js';

const SERVICES = [
  AgentNoticesService,
  ImapLeasesService,
  ImapMailsService,
  ImapSecretsService,
  MailUnderstandingService,
  MessageMailsService,
  OlderMailsService,
  TestMailsService,
];

/** What a worker needs to fetch, process and write mail. */
@Module({
  imports: [EventsModule, StorageModule],
  providers: [
    ...SERVICES,
    AgentAnswersService,
    AgentRepliesService,
    AgentReplyAddressesService,
    ArrivedMailsService,
    BodyRenderer,
    BroughtMailService,
    CustomerMailsService,
    FilesService,
    MailAttachmentsService,
    MailContentsService,
    MailReader,
    MailMetrics,
    OwnMailsService,
    ReplyAddressesService,
    ReturnedMailsService,
    ReturnedTestsService,
    Transactions.provider(refusalOf),
  ],
  exports: SERVICES,
})
export class MailProcessingModule {}
