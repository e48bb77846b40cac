import type { OutgoingMailKind } from '#libs/entities';
import type { ClaimedMail, Mail, NothingToSend } from '#libs/mail';
import { AgentNoticesService, CheckMailsService, MessageMailsService } from '#libs/mailboxes';
import { Links } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { accessNotice, signInNotice, webhookNotice } from './account-notices.js';
import { LinkMailsService } from './link-mails.service.js';

type WrittenMail = Mail | NothingToSend;
type Writers = Readonly<Record<OutgoingMailKind, (mail: ClaimedMail) => WrittenMail | Promise<WrittenMail>>>;

@Injectable()
export class MailWritersService {
  private readonly writers: Writers;

  constructor(
    messages: MessageMailsService,
    notices: AgentNoticesService,
    checks: CheckMailsService,
    linkMails: LinkMailsService,
    links: Links,
  ) {
    this.writers = {
      message: (mail) => messages.write(mail),
      link: (mail) => linkMails.write(mail),
      sign_in_notice: (mail) => signInNotice(mail, links),
      webhook_notice: (mail) => webhookNotice(mail, links),
      access_notice: (mail) => accessNotice(mail, links),
      agent_notice: (mail) => notices.write(mail),
      test: (mail) => checks.write(mail),
    };
  }

  async write(mail: ClaimedMail): Promise<WrittenMail> {
    return this.writers[mail.kind](mail);
  }
}
