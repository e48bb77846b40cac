import { type AccountTx, Transactions, snakeCase } from '#libs/database';
import {
  InvalidField,
  NotFound,
  type DomainError,
  type Ticket,
  type TicketField,
  type TicketState,
} from '#libs/entities';
import { EventsService, describeTicketActivity } from '#libs/events';
import { isEventKind, Links, RECORDS, TICKET_PARTS, type TicketPart } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { type RequestContext, requireUnchanged } from './request-context.js';
import { findAgent } from './agent-lookup.js';
import { GroupsRepository } from './groups.repository.js';
import { MailboxesRepository } from './mailboxes.repository.js';
import { unknownReference } from './new-ticket.js';
import { indexTitle } from './search.service.js';
import { lockTicket, saveTicket } from './ticket.statements.js';

/** Says whether it changed the ticket. */
type Change = (ticket: Ticket, tx: AccountTx, now: Date) => boolean | Promise<boolean>;

/** Sorting what came in: whose it is, how urgent, where it belongs. Each is 5 round trips, 3 when nothing changes. */
@Injectable()
export class TriageService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly links: Links,
    private readonly groups: GroupsRepository,
    private readonly mailboxes: MailboxesRepository,
  ) {}

  setState(context: RequestContext, number: number, state: TicketState): Promise<Ticket> {
    return this.change(context, number, 'state', async (ticket, tx, now) =>
      ticket.setState(state, state === 'closed' ? await findAgent(tx, context.agentId) : null, now),
    );
  }

  /** By e-mail or id; null leaves it to nobody. */
  assign(context: RequestContext, number: number, who: string | null): Promise<Ticket> {
    return this.change(context, number, 'assignee', async (ticket, tx, now) => {
      const agent = who === null ? null : await findAgent(tx, who);
      if (who !== null && !agent) throw unknownReference('assignee');
      return ticket.assignTo(agent, now);
    });
  }

  assignToGroup(context: RequestContext, number: number, name: string | null): Promise<Ticket> {
    return this.change(context, number, 'assigned_group', async (ticket, tx, now) => {
      const group = name === null ? null : await this.groups.find(tx, name);
      if (name !== null && !group) throw unknownReference('assigned_group');
      return ticket.assignToGroup(group, now);
    });
  }

  addTags(context: RequestContext, number: number, tags: readonly string[]): Promise<Ticket> {
    return this.change(context, number, 'tags', (ticket, _tx, now) => ticket.addTags(tags, now));
  }

  replaceTags(context: RequestContext, number: number, tags: readonly string[]): Promise<Ticket> {
    return this.change(context, number, 'tags', (ticket, _tx, now) => ticket.replaceTags(tags, now));
  }

  removeTag(context: RequestContext, number: number, tag: string): Promise<Ticket> {
    return this.change(context, number, 'tags', (ticket, _tx, now) => ticket.removeTag(tag, now));
  }

  moveToMailbox(context: RequestContext, number: number, name: string): Promise<Ticket> {
    return this.moveTo(context, number, name, unknownReference('mailbox'));
  }

  /** The mailbox is part of the address that was called, so it is not there where it is not known. */
  changeMailbox(context: RequestContext, number: number, mailboxId: string): Promise<Ticket> {
    return this.moveTo(context, number, mailboxId, new NotFound('mailbox'));
  }

  /** For example `{ priority: 'high' }`. */
  set(context: RequestContext, number: number, field: TicketField): Promise<Ticket> {
    return this.change(context, number, snakeCase(Object.keys(field)[0]!) as TicketPart, async (ticket, tx, now) => {
      const changed = ticket.set(field, now);
      if (changed && 'title' in field) await indexTitle(tx, ticket);
      return changed;
    });
  }

  /** Null wakes it. */
  snooze(context: RequestContext, number: number, until: Date | null): Promise<Ticket> {
    return this.change(context, number, 'snoozed_until', (ticket, _tx, now) => {
      if (until && until <= now)
        throw new InvalidField('snoozed_until', 'in_the_past', 'snoozed_until must be in the future');
      return ticket.snooze(until, now);
    });
  }

  private moveTo(context: RequestContext, number: number, name: string, refusal: DomainError): Promise<Ticket> {
    return this.change(context, number, 'mailbox', async (ticket, tx, now) => {
      const mailbox = await this.mailboxes.find(tx, name);
      if (!mailbox) throw refusal;
      return ticket.moveToMailbox(mailbox, now);
    });
  }

  private change(context: RequestContext, number: number, part: TicketPart, change: Change): Promise<Ticket> {
    return this.transactions.run(context, async (tx, now) => {
      const ticket = await lockTicket(tx, number);
      requireUnchanged(context, () => [
        { ticket: RECORDS.Ticket(ticket, this.links) },
        TICKET_PARTS[part].payload(ticket, this.links),
      ]);
      if (!(await change(ticket, tx, now))) return ticket;
      await saveTicket(tx, ticket);
      await this.record(tx, context, { part, ticket });
      return ticket;
    });
  }

  private async record(
    tx: AccountTx,
    context: RequestContext,
    { part, ticket }: { part: TicketPart; ticket: Ticket },
  ): Promise<void> {
    const { activity } = TICKET_PARTS[part];
    const kind = typeof activity === 'string' ? activity : activity[ticket.state];
    if (isEventKind(kind)) await this.events.record(tx, context, [kind, ticket]);
    else
      await this.events.recordActivity(
        tx,
        context,
        kind,
        describeTicketActivity(ticket, {
          state: ticket.state,
          title: ticket.title,
          snoozed_until: ticket.snoozedUntil?.toISOString() ?? null,
        }),
      );
  }
}
