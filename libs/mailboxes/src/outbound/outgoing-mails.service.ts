import {
  type AccountConnection,
  accountStatement,
  Clock,
  columns,
  filter,
  hydrate,
  isUuid,
  Transactions,
  uuidAt,
} from '#libs/database';
import { Conflict, InvalidField, Mailbox, NotFound, OutgoingMail } from '#libs/entities';
import { rawMail } from '#libs/mail';
import { type RequestContext, requireManager } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { ArrivalsService } from '../inbound/arrivals.service.js';

const MAX_LISTED = 50;
const MAX_ANSWER = 10_000;

const OF_ACCOUNT = `
  select ${columns(OutgoingMail, 'o')}, ${columns(Mailbox, 'm')}, t.number
  from outgoing_mails o left join messages s on s.id = coalesce(o.message_id, o.copy_of) left join tickets t on t.id = s.ticket_id
    left join mailboxes m on m.id = t.mailbox_id`;

const LIST = accountStatement(
  'outgoing_mails_list',
  `${OF_ACCOUNT} where o.account_id = $1 order by o.queued_at desc, o.id desc limit ${MAX_LISTED}`,
);
const READ = accountStatement('outgoing_mail_read', `${OF_ACCOUNT} where o.id = $2 and ${filter('o.account_id = $1')}`);

/** A mail, with the ticket whose message it brings and the mailbox of that. */
export type ListedMail = OutgoingMail & { readonly ticketNumber: number | null; readonly mailbox: Mailbox | null };

/** What an account sends to people outside, for those who manage it. */
@Injectable()
export class OutgoingMailsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly arrivals: ArrivalsService,
  ) {}

  /** The latest. One round trip. */
  async list(context: RequestContext): Promise<ListedMail[]> {
    requireManager(context);
    return (await this.transactions.account(context).rows(LIST)).map(toListed);
  }

  /** In a trial, whoever tries it out is the customer too: what they answer comes in as any mail does. */
  async answerAsCustomer(context: RequestContext, id: string, text: string): Promise<void> {
    requireManager(context);
    const { caught, mailbox, recipient } = await this.read(this.transactions.account(context), id);
    if (!caught?.replyTo || !mailbox)
      throw new Conflict('not_answered', 'Only a mail that this trial kept is answered.');
    if (text.trim() === '') throw new InvalidField('text', 'required', 'an answer must say something');
    const content = await rawMail({
      from: { name: '', address: recipient },
      to: caught.replyTo,
      mailId: `${uuidAt(this.clock.now())}@trial.invalid`,
      ancestors: caught.mailId === null ? [] : [caught.mailId],
      subject: caught.subject,
      text: text.slice(0, MAX_ANSWER),
    });
    const envelope = { envelopeFrom: recipient, envelopeTo: caught.replyTo };
    await this.arrivals.accept(mailbox, { source: 'api', ...envelope, content: oneChunk(content) });
  }

  private async read(account: AccountConnection, id: string): Promise<ListedMail> {
    const row = isUuid(id) ? await account.row(READ, [id]) : undefined;
    if (!row) throw new NotFound('mail');
    return toListed(row);
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
