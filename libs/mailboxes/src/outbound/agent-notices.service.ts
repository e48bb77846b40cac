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

/** A reply to the notice is sent to the customer. */
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
    const { message: messageId, agent: agentId = '' } = detail;
    const found = await readAgentNotice(this.database.account(accountId), { messageId, agentId });
    if (!found) return { nothing: 'The agent no longer gets reply notifications for this ticket.' };
    const { mailboxEmail, number, title, customer, account } = found;
    return {
      ...smtpServerIn(found, this.settings),
      from: { name: oneLine(`${customer} (${account})`), address: mailboxEmail },
      replyTo: this.addresses.of(mailboxEmail, { accountId, agentId, ticketNumber: number }),
      ...(returnToken !== null && { returnPath: this.returns.forReturns(mailboxEmail, returnToken) }),
      to: recipient,
      mailId: mailIdOfMessage(id, hostOf(this.settings)),
      subject: oneLine(`#${number} ${title ?? ''}`),
      text: this.textOf(found),
      automatic: 'generated',
    };
  }

  private textOf({ text, number, cc, customer, account }: NoticedMessage): string {
    return [
      REPLY_MARK,
      `${oneLine(customer)} wrote:`,
      text.trim(),
      [
        '-- ',
        `Reply to this email to answer the customer as ${oneLine(account)}.`,
        ...(cc.length > 0 ? [`Your reply will also be copied to: ${cc.join(', ')}`] : []),
        `Ticket: ${this.links.base}/tickets/${number}`,
        `You receive this because reply notifications are on. Turn them off: ${this.links.base}/profile\n`,
      ].join('\n'),
    ].join('\n\n');
  }
}
