import { type AccountTx, Clock, type Repository } from '#libs/database';
import {
  type DomainError,
  InvalidField,
  Mailbox,
  type Ticket,
  type TicketPriority,
  type TicketState,
} from '#libs/entities';
import type { TicketPart } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { findAgent } from './people/agent-lookup.js';
import { GroupsRepository } from './people/groups.repository.js';
import { unknownReference } from './new-ticket.js';
import { mailboxNamed } from './references.js';
import type { RequestContext } from './request-context.js';

/** The fields of a ticket as the API names them: people by e-mail or id, groups and mailboxes by name or id. */
export interface TicketValues {
  readonly state?: TicketState | undefined;
  readonly assignee?: string | null | undefined;
  readonly assignedGroup?: string | null | undefined;
  readonly priority?: TicketPriority | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly mailbox?: string | undefined;
  readonly title?: string | null | undefined;
  readonly snoozedUntil?: Date | null | undefined;
}

/** `apply` returns whether the ticket changed. */
export interface TicketChange {
  readonly part: TicketPart;
  readonly apply: (ticket: Ticket, tx: AccountTx, now: Date) => boolean | Promise<boolean>;
}

/** In the required order: a change of state ends a snooze. */
@Injectable()
export class TicketChangesService {
  constructor(
    private readonly groups: GroupsRepository,
    @InjectRepository(Mailbox) private readonly mailboxes: Repository<Mailbox>,
    private readonly clock: Clock,
  ) {}

  to(wanted: TicketValues, context: RequestContext): TicketChange[] {
    const { state, assignee, assignedGroup, priority, tags, mailbox, title, snoozedUntil } = wanted;
    return [
      ...(state === undefined ? [] : [toState(state, context)]),
      ...(assignee === undefined ? [] : [toAssignee(assignee)]),
      ...(assignedGroup === undefined ? [] : [this.toGroup(assignedGroup)]),
      ...(priority === undefined ? [] : [toPriority(priority)]),
      ...(tags === undefined ? [] : [toTags(tags)]),
      ...(mailbox === undefined ? [] : [this.toMailbox(mailbox, unknownReference('mailbox'))]),
      ...(title === undefined ? [] : [toTitle(title)]),
      ...(snoozedUntil === undefined ? [] : [this.toSnooze(snoozedUntil)]),
    ];
  }

  toMailbox(name: string, refusal: DomainError): TicketChange {
    return {
      part: 'mailbox',
      apply: async (ticket, tx, now) => {
        const mailbox = await tx.repository(this.mailboxes).findOne(...mailboxNamed(name));
        if (!mailbox) throw refusal;
        return ticket.moveToMailbox(mailbox, now);
      },
    };
  }

  private toGroup(name: string | null): TicketChange {
    return {
      part: 'assigned_group',
      apply: async (ticket, tx, now) => {
        const group = name === null ? null : await this.groups.find(tx, name);
        if (name !== null && !group) throw unknownReference('assigned_group');
        return ticket.assignToGroup(group, now);
      },
    };
  }

  private toSnooze(until: Date | null): TicketChange {
    if (until && until <= this.clock.now())
      throw new InvalidField('snoozed_until', 'in_the_past', 'snoozed_until must be in the future');
    return { part: 'snoozed_until', apply: (ticket, _tx, now) => ticket.snooze(until, now) };
  }
}

const toState = (state: TicketState, { agentId }: RequestContext): TicketChange => ({
  part: 'state',
  apply: async (ticket, tx, now) =>
    ticket.setState(state, state === 'closed' ? await findAgent(tx, agentId) : null, now),
});

const toAssignee = (who: string | null): TicketChange => ({
  part: 'assignee',
  apply: async (ticket, tx, now) => {
    const agent = who === null ? null : await findAgent(tx, who);
    if (who !== null && !agent) throw unknownReference('assignee');
    return ticket.assignTo(agent, now);
  },
});

const toPriority = (priority: TicketPriority | null): TicketChange => ({
  part: 'priority',
  apply: (ticket, _tx, now) => ticket.set({ priority }, now),
});

const toTags = (tags: readonly string[]): TicketChange => ({
  part: 'tags',
  apply: (ticket, _tx, now) => ticket.replaceTags(tags, now),
});

const toTitle = (title: string | null): TicketChange => ({
  part: 'title',
  apply: (ticket, _tx, now) => ticket.set({ title }, now),
});
