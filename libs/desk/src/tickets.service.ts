import { Clock, Database, type AccountTx, accountStatement, uuidAt } from '#libs/database';
import {
  Agent,
  type Customer,
  InvalidField,
  Mailbox,
  Message,
  Ticket,
  type TicketPriority,
  type TicketState,
} from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { type CustomerFields, addCustomer } from './customer.rows.js';
import { type Acting, Events } from './events.js';
import { plainText, summaryOf } from './plain-text.js';
import { readTicket } from './ticket.rows.js';

/** Committed by itself, so that two tickets of one account do not wait for each other's transaction. */
const NEXT_NUMBER = accountStatement(
  'ticket_next_number',
  'update accounts set last_ticket_number = last_ticket_number + 1 where id = $1 returning last_ticket_number as number',
);

export interface NewTicket {
  readonly body: string;
  readonly from: CustomerFields;
  readonly to: CustomerFields;
  readonly title: string | null;
  readonly state: TicketState;
  readonly priority: TicketPriority | null;
  readonly tags: readonly string[];
}

@Injectable()
export class TicketsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly events: Events,
  ) {}

  read(acting: Acting, number: number): Promise<Ticket> {
    return readTicket(this.database.account(acting.accountId), number);
  }

  /** Round trips: number 1, BEGIN 1, author 1, mailbox 1, customer 1–2, ticket 1, message 1, event 1–2, COMMIT 1. */
  async create(acting: Acting, wanted: NewTicket): Promise<Ticket> {
    const account = this.database.account(acting.accountId);
    const { number } = (await account.row<{ number: number }>(NEXT_NUMBER))!;
    return account.transaction(async (tx) => {
      const now = this.clock.now();
      const agent = await tx.table(Agent).findOne({ email: wanted.from.email });
      const mailbox = await this.mailbox(tx, agent ? undefined : wanted.to.email);
      const { customer, added } = await addCustomer(tx, agent ? wanted.to : wanted.from, now);
      const ticket = await this.insert(tx, { wanted, number, customer, mailbox, now });
      await this.insertFirstMessage(tx, { ticket, wanted, author: agent ?? customer, now });
      if (added) await this.events.record(tx, 'customer_added', customer, acting);
      await this.events.record(tx, 'ticket_started', ticket, acting);
      return ticket;
    });
  }

  private async mailbox(tx: AccountTx, email: string | undefined): Promise<Mailbox> {
    const named = email === undefined ? null : await tx.table(Mailbox).findOne({ email });
    const mailbox = named ?? (await tx.table(Mailbox).find())[0];
    if (!mailbox) throw new InvalidField('mailbox', 'no_mailbox', 'The account has no mailbox to put the ticket in.');
    return mailbox;
  }

  private async insert(
    tx: AccountTx,
    from: { wanted: NewTicket; number: number; customer: Customer; mailbox: Mailbox; now: Date },
  ): Promise<Ticket> {
    const { wanted, number, customer, mailbox, now } = from;
    const row = {
      id: uuidAt(now),
      number,
      title: wanted.title,
      state: wanted.state,
      priority: wanted.priority,
      assigneeId: null,
      assignedGroupId: null,
      mailboxId: mailbox.id,
      customerId: customer.id,
      tags: [...wanted.tags],
      summary: summaryOf(wanted.body),
      messageCount: 1,
      closedById: null,
      resolutionTime: null,
      snoozedUntil: null,
      deletedAt: null,
      createdAt: now,
      updatedAt: now,
    };
    await tx.table(Ticket).insert(row);
    return Object.assign(new Ticket(), row, { customer, mailbox, assignee: null, assignedGroup: null, closedBy: null });
  }

  private async insertFirstMessage(
    tx: AccountTx,
    from: { ticket: Ticket; wanted: NewTicket; author: Agent | Customer; now: Date },
  ): Promise<void> {
    const { ticket, wanted, author, now } = from;
    await tx.table(Message).insert({
      id: uuidAt(now),
      ticketId: ticket.id,
      authorAgentId: author instanceof Agent ? author.id : null,
      authorCustomerId: author instanceof Agent ? null : author.id,
      note: false,
      body: wanted.body,
      plainTextBody: plainText(wanted.body),
      sentAt: null,
      createdAt: now,
      updatedAt: now,
    });
  }
}
