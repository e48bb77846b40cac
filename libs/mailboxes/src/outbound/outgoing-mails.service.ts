import { Readable } from 'node:stream';
import { Clock, Transactions, hydrate, isUuid, uuidAt } from '#libs/database';
import { Conflict, InvalidField, Mailbox, OutgoingMail, existing } from '#libs/entities';
import { caughtMail, rawMail } from '#libs/mail';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { type RequestContext, requireManager, startOfHtml, withoutRemotePictures } from '#libs/tickets';
import { Inject, Injectable } from '@nestjs/common';
import { InboundMailService } from '../inbound/inbound-mail.service.js';
import { hostOf } from '../mail-ids.js';
import { type Loaded, MessageMailsService } from './message-mails.service.js';
import { listOutgoingMails, readOutgoingMail } from './outbound-mail.statements.js';

const MAX_ANSWER_CHARACTERS = 10_000;

const MAX_SHOWN_CHARACTERS = 100_000;

export type ListedMail = OutgoingMail & { readonly ticketNumber: number | null; readonly mailbox: Mailbox | null };

@Injectable()
export class OutgoingMailsService {
  constructor(
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly inboundMail: InboundMailService,
    private readonly messages: MessageMailsService,
  ) {}

  /** One round trip. */
  async list(context: RequestContext): Promise<ListedMail[]> {
    requireManager(context);
    const rows = await listOutgoingMails(this.transactions.account(context), hostOf(this.settings));
    return rows.map((row) => this.toListed(row));
  }

  /** For a trial. The reply is processed like any inbound mail. */
  async answerAsCustomer(context: RequestContext, id: string, text: string): Promise<void> {
    requireManager(context);
    const account = this.transactions.account(context);
    const row = isUuid(id) && (await readOutgoingMail(account, id, hostOf(this.settings)));
    const { caught, mailbox, recipient } = this.toListed(existing(row, 'mail'));
    if (!caught?.replyTo || !mailbox)
      throw new Conflict('not_answered', 'Only emails kept in trial mode can be answered.');
    if (text.trim() === '') throw new InvalidField('text', 'required', 'The reply must not be empty.');
    const content = await rawMail({
      from: { name: '', address: recipient },
      to: caught.replyTo,
      mailId: `${uuidAt(this.clock.now())}@trial.invalid`,
      ancestors: caught.mailId === null ? [] : [caught.mailId],
      subject: caught.subject,
      text: text.slice(0, MAX_ANSWER_CHARACTERS),
    });
    const envelope = { envelopeFrom: recipient, envelopeTo: caught.replyTo };
    await this.inboundMail.accept(mailbox, { source: 'api', ...envelope, content: Readable.from([content]) });
  }

  private toListed(row: Record<string, unknown>): ListedMail {
    const mail = hydrate(OutgoingMail, row, 'o')!;
    return Object.assign(mail, {
      ticketNumber: row['number'] as number | null,
      mailbox: hydrate(Mailbox, row, 'm'),
      caught: mail.caught ?? this.contentOf(mail, row as unknown as Loaded<object>),
    });
  }

  /** An email to a customer is rendered from its message when it is shown, even if the ticket was deleted. */
  private contentOf({ accountId, recipient, returnToken, messageId, copyOf }: OutgoingMail, found: Loaded<object>) {
    if (found.text === null) return null;
    const addressed = { accountId, recipient, returnToken, messageId: messageId ?? copyOf, isCopy: copyOf !== null };
    const html = found.html === null ? null : withoutRemotePictures(found.html);
    const mail = this.messages.write({ ...found, ...addressed, html, isDeleted: false });
    if ('nothing' in mail) return null;
    return { ...caughtMail(mail, this.settings.MAIL_FROM), html: startOfHtml(mail.html ?? '', MAX_SHOWN_CHARACTERS) };
  }
}
