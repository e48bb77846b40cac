import { type AccountTx, Transactions } from '#libs/database';
import type { SenderVerdicts } from '#libs/entities';
import { type MailAddress, beginningOf, forwardedSender } from '#libs/mail';
import { type CustomerMail, MailContentsService, MailTicketsService, type StoredContent } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { type MailOutcome, recordOutcome, refuseDuplicate } from './arrival-outcome.statements.js';
import type { InboundMail } from './arrival.statements.js';
import { bodyOf, textOf, titleOf } from './mail-body.js';
import type { MailContext } from './mail-context.statements.js';
import type { IdentifiedMail } from './parse-mail.js';
import type { QuarantineReason } from './quarantine.service.js';
import { RawMailsService } from './raw-mails.service.js';
import { isSenderDoubtful } from './sender-verdicts.js';

interface DeliveredMail {
  readonly inbound: InboundMail;
  readonly mail: IdentifiedMail;
  readonly context: MailContext;
  readonly outcome: Pick<MailOutcome, 'state' | 'reason' | 'verdicts'>;
}

const MAX_PREVIEW_CHARACTERS = 5000;

@Injectable()
export class CustomerMailDeliveryService {
  constructor(
    private readonly transactions: Transactions,
    private readonly contents: MailContentsService,
    private readonly tickets: MailTicketsService,
    private readonly rawMails: RawMailsService,
  ) {}

  async deliver(delivered: DeliveredMail): Promise<void> {
    const { inbound, mail, context } = delivered;
    const body = bodyOf(mail);
    await this.contents.withStored(inbound.accountId, body, (content) =>
      context.ticket
        ? this.joinTicket(delivered, content, context.ticket.number)
        : this.startTicket(delivered, content),
    );
    if (body.files.length > 0) await this.rawMails.discard(inbound);
  }

  async quarantine(
    inbound: InboundMail,
    mail: IdentifiedMail,
    { reason, verdicts }: { readonly reason: QuarantineReason; readonly verdicts: SenderVerdicts | null },
  ): Promise<void> {
    const text = await textOf(this.contents, inbound, mail);
    const shown = { subject: titleOf(mail.subject) ?? '', preview: beginningOf(text, MAX_PREVIEW_CHARACTERS) };
    await this.recordUndelivered(inbound, mail, { state: 'quarantined', reason, verdicts, ...shown });
  }

  /** The first email has the bytes. */
  async dropDuplicate(inbound: InboundMail, mail: IdentifiedMail, verdicts: SenderVerdicts | null): Promise<void> {
    await this.recordUndelivered(inbound, mail, { state: 'duplicate', verdicts, isStoredTwice: true });
    await this.rawMails.discard(inbound);
  }

  private recordUndelivered(inbound: InboundMail, mail: IdentifiedMail, outcome: MailOutcome): Promise<void> {
    return recordOutcome(this.transactions.account(inbound), { inbound, mail, outcome }, this.transactions.now());
  }

  private async startTicket(delivered: DeliveredMail, content: StoredContent): Promise<void> {
    const { inbound, mail, context, outcome } = delivered;
    const original = forwardedBy(delivered, content);
    // The checks of an agent’s email do not verify the sender of the forwarded one.
    const recorded = original ? { ...delivered, outcome: { ...outcome, verdicts: null } } : delivered;
    const number = await this.tickets.nextNumber(inbound);
    await this.transactions.run(inbound, async (tx, now) => {
      const onWritten = recorderOf(tx, recorded, { content, now, startedTicket: true });
      const starting = { number, title: titleOf(mail.subject), answered: context.answered, onWritten };
      await this.tickets.startFromMail(tx, { ...starting, mail: customerMailOf(delivered, content, original) }, now);
    });
  }

  private async joinTicket(delivered: DeliveredMail, content: StoredContent, number: number): Promise<void> {
    const { inbound, mail } = delivered;
    await this.transactions.run(inbound, async (tx, now) => {
      const ticket = await this.tickets.lock(tx, number);
      await refuseDuplicate(tx, inbound, mail, ticket.id);
      const onWritten = recorderOf(tx, delivered, { content, now });
      await this.tickets.joinFromMail(tx, { ticket, mail: customerMailOf(delivered, content), onWritten }, now);
    });
  }
}

const recorderOf =
  (
    tx: AccountTx,
    { inbound, mail, outcome }: DeliveredMail,
    { content, now, startedTicket }: { content: StoredContent; now: Date; startedTicket?: true },
  ) =>
  (written: Required<Pick<MailOutcome, 'ticketId' | 'messageId'>>): Promise<void> => {
    const isStoredTwice = content.files.length > 0;
    const made = { ...outcome, ...written, ...(startedTicket && { startedTicket }), isStoredTwice };
    return recordOutcome(tx, { inbound, mail, outcome: made }, now);
  };

function customerMailOf(
  { inbound, mail, context }: DeliveredMail,
  content: StoredContent,
  original: MailAddress | null = null,
): CustomerMail {
  const { to, cc, unanswered, automatic, authentication } = mail;
  const { mailbox, isCustomer, isMailbox } = context;
  const { envelopeTo, receivedAt, createdAt } = inbound;
  return {
    from: original ?? mail.from,
    to,
    cc,
    unanswered,
    // The agent’s email cannot rename the customer.
    isFromCustomer: isCustomer || original !== null,
    envelopeTo,
    mailbox,
    content,
    sentAt: receivedAt ?? createdAt,
    // Two mailboxes of an account could answer each other.
    isAutomatic: automatic || isMailbox,
    isOlder: receivedAt !== null,
    isDoubtful: isSenderDoubtful(authentication, mailbox.authservId),
  };
}

/** An agent who forwards an email starts a ticket of its sender, once a person has released it. */
function forwardedBy({ inbound, mail, context }: DeliveredMail, { rendered }: StoredContent) {
  if (!inbound.released || !context.isAgent) return null;
  const sender = forwardedSender({ subject: mail.subject, text: rendered.plainTextBody });
  return sender?.address === context.mailbox.email ? null : sender;
}
