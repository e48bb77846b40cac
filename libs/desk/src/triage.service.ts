import { type AccountTx, Transactions } from '#libs/database';
import { NotFound, type DomainError, type Ticket, type TicketPriority, type TicketState } from '#libs/entities';
import { EventsService, describeTicketActivity } from '#libs/events';
import {
  type EventKind,
  isEventKind,
  Links,
  TICKET_SUBRESOURCES,
  type TicketSubresource,
  ticketPayload,
} from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { type RequestContext, requireUnchanged } from './request-context.js';
import { findAgent } from './agent.statements.js';
import { findGroup } from './group.statements.js';
import { findMailbox } from './mailbox.statements.js';
import { unknownReference } from './new-ticket.js';
import { indexTitle } from './search.service.js';
import { lockTicket, saveTicket } from './ticket.statements.js';

type TicketActivityKind = Extract<EventKind, `ticket_${string}`> | 'ticket_state_changed' | 'ticket_retitled';

/** Says whether it changed the ticket. */
type Change = (ticket: Ticket, tx: AccountTx, now: Date) => boolean | Promise<boolean>;

/** What a change of a part is told as. Where no kind of event is meant for it, the history still knows. */
const ACTIVITY_KIND_OF: Readonly<Record<TicketSubresource, (ticket: Ticket) => TicketActivityKind>> = {
  state: ({ state }) => {
    if (state === 'opened') return 'ticket_opened';
    return state === 'closed' ? 'ticket_closed' : 'ticket_state_changed';
  },
  assignee: () => 'ticket_assigned',
  assigned_group: () => 'ticket_assigned',
  priority: () => 'ticket_priority_changed',
  tags: () => 'ticket_tagged',
  mailbox: () => 'ticket_moved',
  title: () => 'ticket_retitled',
};

/** Sorting what came in: whose it is, how urgent, where it belongs. Each is 5 round trips, 3 when nothing changes. */
@Injectable()
export class TriageService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly links: Links,
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
      const group = name === null ? null : await findGroup(tx, name);
      if (name !== null && !group) throw unknownReference('assigned_group');
      return ticket.assignToGroup(group, now);
    });
  }

  prioritise(context: RequestContext, number: number, priority: TicketPriority | null): Promise<Ticket> {
    return this.change(context, number, 'priority', (ticket, _tx, now) => ticket.prioritise(priority, now));
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

  retitle(context: RequestContext, number: number, title: string | null): Promise<Ticket> {
    return this.change(context, number, 'title', async (ticket, tx, now) => {
      const changed = ticket.retitle(title, now);
      if (changed) await indexTitle(tx, ticket);
      return changed;
    });
  }

  private moveTo(context: RequestContext, number: number, name: string, refusal: DomainError): Promise<Ticket> {
    return this.change(context, number, 'mailbox', async (ticket, tx, now) => {
      const mailbox = await findMailbox(tx, name);
      if (!mailbox) throw refusal;
      return ticket.moveToMailbox(mailbox, now);
    });
  }

  private change(context: RequestContext, number: number, part: TicketSubresource, change: Change): Promise<Ticket> {
    return this.transactions.run(context, async (tx, now) => {
      const ticket = await lockTicket(tx, number);
      requireUnchanged(context, () => [
        { ticket: ticketPayload(ticket, this.links) },
        TICKET_SUBRESOURCES[part](ticket, this.links),
      ]);
      if (!(await change(ticket, tx, now))) return ticket;
      await saveTicket(tx, ticket);
      await this.recordChange(tx, context, ticket, ACTIVITY_KIND_OF[part](ticket));
      return ticket;
    });
  }

  private async recordChange(
    tx: AccountTx,
    context: RequestContext,
    ticket: Ticket,
    kind: TicketActivityKind,
  ): Promise<void> {
    if (isEventKind(kind)) await this.events.record(tx, context, [kind, ticket]);
    else
      await this.events.recordActivity(
        tx,
        context,
        kind,
        describeTicketActivity(ticket, { state: ticket.state, title: ticket.title }),
      );
  }
}
