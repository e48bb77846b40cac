import { type AccountTx, Transactions } from '#libs/database';
import type { SenderVerdicts, Ticket } from '#libs/entities';
import { type MailAddress, beginningOf, forwardedSender } from '#libs/mail';
import { type CustomerMail, MailContentsService, MailTicketsService, type StoredContent } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import type { AgentReply } from './agent-reply.js';
import { type MailOutcome, recordOutcome, refuseDuplicate } from './arrival-outcome.statements.js';
import type { InboundMail } from './arrival.statements.js';
import { bodyOf, textOf, titleOf } from './mail-body.js';
import { type MailContext, findActiveAgent } from './mail-context.statements.js';
import type { IdentifiedMail } from './parse-mail.js';
import type { QuarantineReason } from './quarantine.service.js';
import { RawMailsService } from './raw-mails.service.js';
import { isSenderDoubtful } from './sender-verdicts.js';

interface DeliveredMail {
  readonly inbound: InboundMail;
  readonly mail: IdentifiedMail;
  readonly outcome: Pick<MailOutcome, 'state' | 'reason' | 'verdicts'>;
}

interface DeliveredCustomerMail extends DeliveredMail {
  readonly context: MailContext;
}

interface JoinedTicket {
  readonly ticket: Ticket;
  readonly content: StoredContent;
  readonly onWritten: ReturnType<typeof recorderOf>;
}

const MAX_PREVIEW_CHARACTERS = 5000;

@Injectable()
export class TicketMailDeliveryService {
  constructor(
    private readonly transactions: Transactions,
    private readonly contents: MailContentsService,
    private readonly tickets: MailTicketsService,
    private readonly rawMails: RawMailsService,
  ) {}

  async deliver(delivered: DeliveredCustomerMail): Promise<void> {
    const { ticket } = delivered.context;
    await this.withStored(delivered.inbound, bodyOf(delivered.mail), (content) =>
      ticket
        ? this.joinTicket(delivered, { content, number: ticket.number }, (tx, joined, now) =>
            this.tickets.joinFromMail(tx, { ...joined, mail: customerMailOf(delivered, content) }, now),
          )
        : this.startTicket(delivered, content),
    );
  }

  /** Delivers an agent’s mail like a reply in the console. */
  async deliverReply(delivered: DeliveredMail, { agentEmail, number, text }: AgentReply): Promise<void> {
    const body = bodyOf({ html: '', text, files: delivered.mail.files });
    await this.withStored(delivered.inbound, body, (content) =>
      this.joinTicket(delivered, { content, number }, async (tx, joined, now) => {
        const agent = await findActiveAgent(tx, agentEmail);
        if (!agent) throw new Error('the agent was archived meanwhile, and the mail is classified again');
        await this.tickets.replyFromMail(tx, { ...joined, agent }, now);
      }),
    );
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

  private async withStored(
    inbound: InboundMail,
    body: ReturnType<typeof bodyOf>,
    work: (content: StoredContent) => Promise<void>,
  ): Promise<void> {
    await this.contents.withStored(inbound.accountId, body, work);
    if (body.files.length > 0) await this.rawMails.discard(inbound);
  }

  private async startTicket(delivered: DeliveredCustomerMail, content: StoredContent): Promise<void> {
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

  private joinTicket(
    delivered: DeliveredMail,
    { content, number }: { readonly content: StoredContent; readonly number: number },
    write: (tx: AccountTx, joined: JoinedTicket, now: Date) => Promise<void>,
  ): Promise<void> {
    const { inbound, mail } = delivered;
    return this.transactions.run(inbound, async (tx, now) => {
      const ticket = await this.tickets.lock(tx, number);
      await refuseDuplicate(tx, inbound, mail, ticket.id);
      const onWritten = recorderOf(tx, delivered, { content, now });
      await write(tx, { ticket, content, onWritten }, now);
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
  { inbound, mail, context }: DeliveredCustomerMail,
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
function forwardedBy({ inbound, mail, context }: DeliveredCustomerMail, { rendered }: StoredContent) {
  if (!inbound.released || !context.isAgent) return null;
  const sender = forwardedSender({ subject: mail.subject, text: rendered.plainTextBody });
  return sender?.address === context.mailbox.email ? null : sender;
}
