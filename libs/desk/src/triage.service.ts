import type { AccountTx } from '#libs/database';
import { NotFound, type Refusal, type Ticket, type TicketPriority, type TicketState } from '#libs/entities';
import { type EventKind, isEventKind, Links, TICKET_PARTS, type TicketPart, ticketPayload } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { type Acting, requireUnchanged } from './acting.js';
import { tellOfTicket } from './activities.js';
import { findAgent } from './agent.rows.js';
import { Events } from './events.js';
import { findGroup } from './group.rows.js';
import { findMailbox } from './mailbox.rows.js';
import { unknown } from './opening.js';
import { indexTitle } from './search.js';
import { lockTicket, saveTicket } from './ticket.rows.js';
import { Transactions } from './transactions.js';

type Telling = Extract<EventKind, `ticket_${string}`> | 'ticket_state_changed' | 'ticket_retitled';

/** Says whether it changed the ticket. */
type Change = (ticket: Ticket, tx: AccountTx, now: Date) => boolean | Promise<boolean>;

/** What a change of a part is told as. Where no kind of event is meant for it, the history still knows. */
const TOLD: Readonly<Record<TicketPart, (ticket: Ticket) => Telling>> = {
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
    private readonly events: Events,
    private readonly links: Links,
  ) {}

  setState(acting: Acting, number: number, state: TicketState): Promise<Ticket> {
    return this.change(acting, number, 'state', async (ticket, tx, now) =>
      ticket.moveTo(state, state === 'closed' ? await findAgent(tx, acting.agentId) : null, now),
    );
  }

  /** By e-mail or id; null leaves it to nobody. */
  assign(acting: Acting, number: number, who: string | null): Promise<Ticket> {
    return this.change(acting, number, 'assignee', async (ticket, tx, now) => {
      const agent = who === null ? null : await findAgent(tx, who);
      if (who !== null && !agent) throw unknown('assignee');
      return ticket.assignTo(agent, now);
    });
  }

  assignToGroup(acting: Acting, number: number, name: string | null): Promise<Ticket> {
    return this.change(acting, number, 'assigned_group', async (ticket, tx, now) => {
      const group = name === null ? null : await findGroup(tx, name);
      if (name !== null && !group) throw unknown('assigned_group');
      return ticket.assignToGroup(group, now);
    });
  }

  prioritise(acting: Acting, number: number, priority: TicketPriority | null): Promise<Ticket> {
    return this.change(acting, number, 'priority', (ticket, _tx, now) => ticket.prioritise(priority, now));
  }

  addTags(acting: Acting, number: number, tags: readonly string[]): Promise<Ticket> {
    return this.change(acting, number, 'tags', (ticket, _tx, now) => ticket.addTags(tags, now));
  }

  replaceTags(acting: Acting, number: number, tags: readonly string[]): Promise<Ticket> {
    return this.change(acting, number, 'tags', (ticket, _tx, now) => ticket.tagWith(tags, now));
  }

  removeTag(acting: Acting, number: number, tag: string): Promise<Ticket> {
    return this.change(acting, number, 'tags', (ticket, _tx, now) => ticket.removeTag(tag, now));
  }

  moveToMailbox(acting: Acting, number: number, name: string): Promise<Ticket> {
    return this.moveTo(acting, number, name, unknown('mailbox'));
  }

  /** The mailbox is part of the address that was called, so it is not there where it is not known. */
  changeMailbox(acting: Acting, number: number, mailboxId: string): Promise<Ticket> {
    return this.moveTo(acting, number, mailboxId, new NotFound('mailbox'));
  }

  retitle(acting: Acting, number: number, title: string | null): Promise<Ticket> {
    return this.change(acting, number, 'title', async (ticket, tx, now) => {
      const changed = ticket.retitle(title, now);
      if (changed) await indexTitle(tx, ticket);
      return changed;
    });
  }

  private moveTo(acting: Acting, number: number, name: string, refusal: Refusal): Promise<Ticket> {
    return this.change(acting, number, 'mailbox', async (ticket, tx, now) => {
      const mailbox = await findMailbox(tx, name);
      if (!mailbox) throw refusal;
      return ticket.moveToMailbox(mailbox, now);
    });
  }

  private change(acting: Acting, number: number, part: TicketPart, change: Change): Promise<Ticket> {
    return this.transactions.run(acting, async (tx, now) => {
      const ticket = await lockTicket(tx, number);
      requireUnchanged(acting, () => [
        { ticket: ticketPayload(ticket, this.links) },
        TICKET_PARTS[part](ticket, this.links),
      ]);
      if (!(await change(ticket, tx, now))) return ticket;
      await saveTicket(tx, ticket);
      await this.tell(tx, acting, ticket, TOLD[part](ticket));
      return ticket;
    });
  }

  private async tell(tx: AccountTx, acting: Acting, ticket: Ticket, kind: Telling): Promise<void> {
    if (isEventKind(kind)) await this.events.record(tx, acting, [kind, ticket]);
    else await this.events.note(tx, acting, kind, tellOfTicket(ticket, { state: ticket.state, title: ticket.title }));
  }
}
