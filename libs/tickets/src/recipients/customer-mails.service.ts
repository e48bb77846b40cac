import { type AccountTx, Transactions } from '#libs/database';
import { Agent, Conflict, type Mailbox, type Message, type Ticket, newReturnToken } from '#libs/entities';
import { EventsService } from '#libs/events';
import { CAUGHT_REASON, type MailRoute, addressesIn, canReceive, mailRoute, queueMail, requeueMails } from '#libs/mail';
import { RECORDS, type TicketPart, requireUnchanged } from '#libs/payloads';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { handlesIn } from '../messages/mentions.js';
import { isOneOfMany, readLiveMessage, readMessage } from '../messages/message.statements.js';
import type { NewTicket } from '../new-ticket.statements.js';
import type { RequestContext } from '../request-context.js';
import { INSERT_MENTIONS, OWE_NOTICES } from './agent-notice.statements.js';
import { type AddressedMail, findPeopleInCopy } from './copy-recipients.statements.js';

interface TicketChangeByAgent {
  readonly ticket: Ticket;
  /** The agent, who gets no email. */
  readonly by: string;
  readonly message?: Pick<Message, 'id' | 'note' | 'plainTextBody'>;
  readonly changed?: readonly TicketPart[] | undefined;
}

/** Queues emails to customers and agents in the transaction of the message. A worker sends them. */
@Injectable()
export class CustomerMailsService {
  readonly route: MailRoute;
  private readonly senders: readonly string[];

  constructor(
    @Inject(SETTINGS_TOKEN) settings: Settings,
    private readonly transactions: Transactions,
    private readonly events: EventsService,
  ) {
    this.route = mailRoute(settings);
    this.senders = addressesIn(settings.MAIL_FROM).map(({ address }) => address);
  }

  routeOf({ repliesByMail, hasSmtp }: Mailbox): MailRoute {
    if (!repliesByMail) return 'none';
    return hasSmtp ? 'smtp' : this.route;
  }

  peopleInCopy(tx: AccountTx, mail: AddressedMail, known: readonly string[]): Promise<string[]> {
    return findPeopleInCopy(tx, mail, [...known, ...this.senders]);
  }

  /** Leaves out addresses that now belong to the account. */
  async stillInCopy(tx: AccountTx, { ccAddresses, customer }: Ticket): Promise<string[]> {
    const mail = { from: { address: customer.email }, to: [], cc: ccAddresses, unanswered: [] };
    return this.peopleInCopy(tx, mail, [customer.email]);
  }

  /** Called after the files are attached. Skips a message with its own time: it was sent elsewhere before. */
  oweReply(tx: AccountTx, message: Message, ticket: Ticket, now: Date): void {
    const isReply = message.author instanceof Agent && !message.note && message.sentAt === null;
    if (!isReply || this.routeOf(ticket.mailbox) === 'none') return;
    message.delivery = this.owe(tx, message, ticket, now);
    if (message.delivery === 'caught') message.deliveryReason = CAUGHT_REASON;
  }

  async oweNotice(tx: AccountTx, message: Message, ticket: Ticket, now: Date): Promise<void> {
    const { assignee, mailbox } = ticket;
    if (assignee?.state !== 'active' || !assignee.mailAbout.includes('replies')) return;
    if (message.author instanceof Agent || this.routeOf(mailbox) === 'none') return;
    if (await isOneOfMany(tx, message)) return;
    const detail = { about: 'replies', message: message.id, agent: assignee.id };
    const to = { recipient: assignee.email, mailboxId: mailbox.id, returnToken: newReturnToken() };
    queueMail(tx, { kind: 'agent_notice', ...to, detail }, now);
  }

  /** Records the mentions of a note. Notifies mentioned agents, a new assignee and the members of a new group. */
  oweAgentNotices(tx: AccountTx, { ticket, by, message, changed = [] }: TicketChangeByAgent, now: Date): void {
    const assigneeId = changed.includes('assignee') ? ticket.assigneeId : null;
    const groupId = changed.includes('assigned_group') ? ticket.assignedGroupId : null;
    const handles = message?.note ? handlesIn(message.plainTextBody) : [];
    if (handles.length > 0)
      tx.send(INSERT_MENTIONS, [message!.id, handles.map(([handle]) => handle), handles.map(([, typed]) => typed)]);
    const isQuiet = handles.length === 0 && assigneeId === null && groupId === null;
    if (isQuiet || this.routeOf(ticket.mailbox) === 'none') return;
    tx.send(OWE_NOTICES, [ticket.id, message?.id ?? null, by, assigneeId, groupId, ticket.mailboxId, now]);
  }

  /** For a ticket that an agent started, after its files are attached. */
  oweFirst(tx: AccountTx, wanted: NewTicket, { ticket, messageId }: { ticket: Ticket; messageId: string }, now: Date) {
    const { mailbox } = ticket;
    const isWanted = wanted.copyToCustomer ?? (mailbox.repliesByMail && wanted.sentAt === undefined);
    if (!isWanted || wanted.note || (!mailbox.hasSmtp && this.route === 'none')) return;
    this.owe(tx, { id: messageId, ccAddresses: wanted.ccAddresses ?? [] }, ticket, now);
  }

  /** Never automatic: an unsure mail may have arrived. Sends the files that the message has now. */
  async sendAgain(context: RequestContext, id: string): Promise<Message> {
    return this.transactions.run(context, async (tx, now) => {
      const message = await readLiveMessage(tx, id);
      requireUnchanged(context, () => [{ message: RECORDS.Message(message, this.events.links) }]);
      if (!(await requeueMails(tx, id, now)))
        throw new Conflict('not_sent_again', 'You can resend only an email that failed, bounced or was not confirmed.');
      const { ticketId, ticketNumber } = message;
      const activity = { ticketId, subject: `#${ticketNumber}`, detail: { message: id } };
      await this.events.recordActivity(tx, context, 'mail_sent_again', activity);
      return readMessage(tx, id);
    });
  }

  /** Queues one email per recipient, so that each has its own retries, state and bounces. A trial keeps them at once. */
  private owe(
    tx: AccountTx,
    { id, ccAddresses, automatic }: Pick<Message, 'id' | 'ccAddresses' | 'automatic'>,
    { mailbox, customer }: Ticket,
    now: Date,
  ): 'queued' | 'caught' {
    const isTrial = this.route === 'caught' && !mailbox.hasSmtp;
    const detail = automatic ? { automatic: 'true' } : {};
    const common = { kind: 'message', mailboxId: mailbox.id, detail } as const;
    const mailTo = (recipient: string) => {
      const state = isTrial && canReceive(recipient) ? 'caught' : 'queued';
      return { ...common, recipient, state, returnToken: newReturnToken() } as const;
    };
    const mail = mailTo(customer.email);
    queueMail(tx, { ...mail, messageId: id }, now);
    for (const recipient of ccAddresses) queueMail(tx, { ...mailTo(recipient), copyOf: id }, now);
    return mail.state;
  }
}
