import { Database } from '#libs/database';
import type { ClaimedMail, Mail, NothingToSend } from '#libs/mail';
import { Links } from '#libs/payloads';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { ReplyAddressesService } from '#libs/tickets';
import { Inject, Injectable } from '@nestjs/common';
import { REPLY_MARK } from '../inbound/agent-reply.js';
import { AgentReplyAddressesService } from '../inbound/agent-reply-addresses.service.js';
import { hostOf, mailIdOfMessage } from '../mail-ids.js';
import { oneLine } from './message-mails.service.js';
import { type NoticedMessage, readAgentNotice, smtpServerIn } from './outbound-mail.statements.js';

@Injectable()
export class AgentNoticesService {
  constructor(
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    private readonly database: Database,
    private readonly addresses: AgentReplyAddressesService,
    private readonly returns: ReplyAddressesService,
    private readonly links: Links,
  ) {}

  /** One round trip. */
  async write({ id, accountId, recipient, returnToken, detail }: ClaimedMail): Promise<Mail | NothingToSend> {
    const found = await readAgentNotice(this.database.account(accountId), detail);
    if (!found) return { nothing: 'The agent no longer gets this notification.' };
    const { mailboxEmail, number, title, author, by, account } = found;
    const { about = '', agent: agentId = '' } = detail;
    const toCustomer = this.addresses.of(mailboxEmail, { accountId, agentId, ticketNumber: number });
    return {
      ...smtpServerIn(found, this.settings),
      from: { name: oneLine(`${by ?? author} (${account})`), address: mailboxEmail },
      // A reply to another notice, which may quote a note, must not go to the customer.
      replyTo: about === 'replies' ? toCustomer : mailboxEmail,
      ...(returnToken !== null && { returnPath: this.returns.forReturns(mailboxEmail, returnToken) }),
      to: recipient,
      mailId: mailIdOfMessage(id, hostOf(this.settings)),
      subject: oneLine(`#${number} ${title ?? ''}`),
      text: this.textOf(found, about),
      automatic: 'generated',
    };
  }

  private textOf({ text, number, cc, author, by, group, account }: NoticedMessage, about: string): string {
    const wroteLast = `${oneLine(author)} wrote last:`;
    const reasons: Readonly<Record<string, string>> = {
      replies: 'wrote:',
      mentions: 'mentioned you in a note:',
      assigned: `assigned this ticket to you. ${wroteLast}`,
      groups: `assigned this ticket to your group ${group}. ${wroteLast}`,
    };
    const answer = [
      `Reply to this email to answer the customer as ${oneLine(account)}.`,
      ...(cc.length > 0 ? [`Your reply will also be copied to: ${cc.join(', ')}`] : []),
    ];
    return [
      ...(about === 'replies' ? [REPLY_MARK] : []),
      `${oneLine(by ?? author)} ${reasons[about]}`,
      text.trim(),
      [
        '-- ',
        ...(about === 'replies' ? answer : ['Answer in the ticket: replies to this email do not reach the customer.']),
        `Ticket: ${this.links.base}/tickets/${number}`,
        `Choose the notifications that you receive: ${this.links.base}/profile\n`,
      ].join('\n'),
    ].join('\n\n');
  }
}
