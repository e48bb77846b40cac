import { Clock, Transactions, hydrate, isUuid, uuidAt } from '#libs/database';
import { Conflict, InvalidField, Mailbox, NotFound, OutgoingMail } from '#libs/entities';
import { rawMail } from '#libs/mail';
import { type RequestContext, requireManager } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { InboundMailService } from '../inbound/inbound-mail.service.js';
import { LIST_OUTGOING_MAILS, READ_OUTGOING_MAIL } from './outbound-mail.statements.js';

const MAX_ANSWER_CHARACTERS = 10_000;

export type ListedMail = OutgoingMail & { readonly ticketNumber: number | null; readonly mailbox: Mailbox | null };

@Injectable()
export class OutgoingMailsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly inboundMail: InboundMailService,
  ) {}

  /** One round trip. */
  async list(context: RequestContext): Promise<ListedMail[]> {
    requireManager(context);
    return (await this.transactions.account(context).rows(LIST_OUTGOING_MAILS)).map(toListed);
  }

  /** For a trial. The answer is processed like any inbound mail. */
  async answerAsCustomer(context: RequestContext, id: string, text: string): Promise<void> {
    requireManager(context);
    const row = isUuid(id) ? await this.transactions.account(context).row(READ_OUTGOING_MAIL, [id]) : undefined;
    if (!row) throw new NotFound('mail');
    const { caught, mailbox, recipient } = toListed(row);
    if (!caught?.replyTo || !mailbox)
      throw new Conflict('not_answered', 'Only a mail that this trial kept is answered.');
    if (text.trim() === '') throw new InvalidField('text', 'required', 'an answer must say something');
    const content = await rawMail({
      from: { name: '', address: recipient },
      to: caught.replyTo,
      mailId: `${uuidAt(this.clock.now())}@trial.invalid`,
      ancestors: caught.mailId === null ? [] : [caught.mailId],
      subject: caught.subject,
      text: text.slice(0, MAX_ANSWER_CHARACTERS),
    });
    const envelope = { envelopeFrom: recipient, envelopeTo: caught.replyTo };
    await this.inboundMail.accept(mailbox, { source: 'api', ...envelope, content: oneChunk(content) });
  }
}

const toListed = (row: Record<string, unknown>): ListedMail =>
  Object.assign(hydrate(OutgoingMail, row, 'o')!, {
    ticketNumber: row['number'] as number | null,
    mailbox: hydrate(Mailbox, row, 'm'),
  });

async function* oneChunk(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}
