import { Database, accountStatement, columns, rowById } from '#libs/database';
import { MailboxSmtp } from '#libs/entities';
import type { ClaimedMail, Mail, NothingToSend } from '#libs/mail';
import { Links } from '#libs/payloads';
import { SecretBox } from '#libs/secret-box';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { ReplyAddressesService } from '#libs/tickets';
import { Inject, Injectable } from '@nestjs/common';
import { ANSWER_ABOVE } from './agent-answer-text.js';
import { AgentReplyAddressesService } from '../inbound/agent-reply-addresses.service.js';
import { mailIdOfMessage } from './own-mail-ids.js';
import { ownServerIn } from './own-mail-server.js';

/** The rest is in the ticket. */
const MAX_CHARACTERS = 20_000;

/** Nothing of an agent who has gone, or has the ticket no more, or wants no mail any more. */
const READ = accountStatement(
  'agent_notice_read',
  `select left(s.plain_text_body, ${MAX_CHARACTERS}) as text, t.number, t.title, t.cc_addresses as cc, m.email as "mailboxEmail", ac.name as account,
     coalesce(nullif(trim(concat(c.first_name, ' ', c.last_name)), ''), c.email) as customer, ${columns(MailboxSmtp, 'p')}
   from ${rowById('messages', '$2')} s
     cross join lateral (select * from tickets where id = s.ticket_id limit 1) t
     cross join lateral (select * from agents where id = t.assignee_id limit 1) a
     cross join lateral (select * from customers where id = s.author_customer_id limit 1) c
     join mailboxes m on m.id = t.mailbox_id join accounts ac on ac.id = s.account_id left join mailbox_smtp p on p.id = m.id
   where t.deleted_at is null and a.id = $3 and a.state = 'active' and a.mail_replies`,
);

interface NoticedMessage {
  readonly text: string;
  readonly number: number;
  readonly title: string | null;
  readonly cc: readonly string[];
  readonly mailboxEmail: string;
  readonly account: string;
  readonly customer: string;
}

/** Writes to an agent what a customer answered. Whoever answers it answers the customer. */
@Injectable()
export class AgentNoticesService {
  private readonly host: string;
  private readonly box: SecretBox;

  constructor(
    @Inject(SETTINGS_TOKEN) settings: Settings,
    private readonly database: Database,
    private readonly addresses: AgentReplyAddressesService,
    private readonly returns: ReplyAddressesService,
    private readonly links: Links,
  ) {
    this.host = new URL(settings.PUBLIC_URL).hostname;
    this.box = new SecretBox(settings.SECRETS_KEY);
  }

  /** One round trip. */
  async write({ id, accountId, recipient, returnToken, detail }: ClaimedMail): Promise<Mail | NothingToSend> {
    const { message, agent: agentId = '' } = detail;
    const found = await this.database.account(accountId).row<NoticedMessage>(READ, [message, agentId]);
    if (!found) return { nothing: 'The agent is not told any more.' };
    const { mailboxEmail, number, title, customer, account } = found;
    const server = ownServerIn(found, this.box);
    return {
      ...(server && { server }),
      from: { name: oneLine(`${customer} (${account})`), address: mailboxEmail },
      replyTo: this.addresses.of(mailboxEmail, { accountId, agentId, ticketNumber: number }),
      ...(returnToken !== null && { returnPath: this.returns.forReturns(mailboxEmail, returnToken) }),
      to: recipient,
      mailId: mailIdOfMessage(id, this.host),
      subject: oneLine(`#${number} ${title ?? ''}`),
      text: this.textOf(found),
      automatic: true,
    };
  }

  private textOf({ text, number, cc, customer, account }: NoticedMessage): string {
    return [
      ANSWER_ABOVE,
      `${oneLine(customer)} wrote:`,
      text.trim(),
      [
        '-- ',
        `What you answer to this mail goes to the customer, in the name of ${oneLine(account)}.`,
        ...(cc.length > 0 ? [`These people get a copy: ${cc.join(', ')}`] : []),
        `The ticket: ${this.links.base}/tickets/${number}`,
        `Such mails come because you asked for them: ${this.links.base}/profile\n`,
      ].join('\n'),
    ].join('\n\n');
  }
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
