import type { OutgoingMailKind } from '#libs/entities';
import type { Mail, NothingToSend } from '#libs/mail';
import { AgentNoticesService, CheckMailsService, type LoadedMail, MessageMailsService } from '#libs/mailboxes';
import { Injectable } from '@nestjs/common';
import { AccountMailsService } from './account-mails.service.js';

type WrittenMail = Mail | NothingToSend;
type Writers = Readonly<Record<OutgoingMailKind, (mail: LoadedMail) => WrittenMail | Promise<WrittenMail>>>;

@Injectable()
export class MailWritersService {
  private readonly writers: Writers;

  constructor(
    messages: MessageMailsService,
    notices: AgentNoticesService,
    checks: CheckMailsService,
    accounts: AccountMailsService,
  ) {
    this.writers = {
      message: (mail) => messages.write(mail),
      link: (mail) => accounts.link(mail),
      sign_in_notice: (mail) => accounts.signInNotice(mail),
      webhook_notice: (mail) => accounts.webhookNotice(mail),
      access_notice: (mail) => accounts.accessNotice(mail),
      agent_notice: (mail) => notices.write(mail),
      test: (mail) => checks.write(mail),
    };
  }

  async write(mail: LoadedMail): Promise<WrittenMail> {
    return this.writers[mail.kind](mail);
  }
}
