import type { AccountTx } from '#libs/database';
import {
  type DomainError,
  InvalidField,
  Mailbox,
  type Ticket,
  type TicketPriority,
  type TicketState,
} from '#libs/entities';
import type { TicketPart } from '#libs/payloads';
import { findAgent } from './people/agent.statements.js';
import { findGroup } from './people/groups.service.js';
import { mailboxNamed, unknownReference } from './references.js';
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

/** Returns whether the ticket changed. */
export interface TicketChange {
  readonly part: TicketPart;
  readonly apply: (ticket: Ticket, tx: AccountTx, now: Date) => boolean | Promise<boolean>;
}

/** Returns changes in the required order: a change of state ends a snooze. */
export function changesTo(values: TicketValues, context: RequestContext, now: Date): TicketChange[] {
  const { state, assignee, assignedGroup, priority, tags, mailbox, title, snoozedUntil } = values;
  return [
    ...(state === undefined ? [] : [setState(state, context)]),
    ...(assignee === undefined ? [] : [assign(assignee)]),
    ...(assignedGroup === undefined ? [] : [assignToGroup(assignedGroup)]),
    ...(priority === undefined ? [] : [setPriority(priority)]),
    ...(tags === undefined ? [] : [replaceTags(tags)]),
    ...(mailbox === undefined ? [] : [moveToMailbox(mailbox, unknownReference('mailbox'))]),
    ...(title === undefined ? [] : [setTitle(title)]),
    ...(snoozedUntil === undefined ? [] : [snooze(snoozedUntil, now)]),
  ];
}

const setState = (state: TicketState, { agentId }: RequestContext): TicketChange => ({
  part: 'state',
  apply: async (ticket, tx, now) =>
    ticket.setState(state, state === 'closed' ? await findAgent(tx, agentId) : null, now),
});

const assign = (emailOrId: string | null): TicketChange => ({
  part: 'assignee',
  apply: async (ticket, tx, now) => {
    const agent = emailOrId === null ? null : await findAgent(tx, emailOrId);
    if (emailOrId !== null && !agent) throw unknownReference('assignee');
    return ticket.assignTo(agent, now);
  },
});

const assignToGroup = (name: string | null): TicketChange => ({
  part: 'assigned_group',
  apply: async (ticket, tx, now) => {
    const group = name === null ? null : await findGroup(tx, name);
    if (name !== null && !group) throw unknownReference('assigned_group');
    return ticket.assignToGroup(group, now);
  },
});

const setPriority = (priority: TicketPriority | null): TicketChange => ({
  part: 'priority',
  apply: (ticket, _tx, now) => ticket.set({ priority }, now),
});

const replaceTags = (tags: readonly string[]): TicketChange => ({
  part: 'tags',
  apply: (ticket, _tx, now) => ticket.replaceTags(tags, now),
});

export const addTags = (tags: readonly string[]): TicketChange => ({
  part: 'tags',
  apply: (ticket, _tx, now) => ticket.addTags(tags, now),
});

export const removeTag = (tag: string): TicketChange => ({
  part: 'tags',
  apply: (ticket, _tx, now) => ticket.removeTag(tag, now),
});

export const moveToMailbox = (name: string, refusal: DomainError): TicketChange => ({
  part: 'mailbox',
  apply: async (ticket, tx, now) => {
    const mailbox = await tx.repository(Mailbox).findOne(...mailboxNamed(name));
    if (!mailbox) throw refusal;
    return ticket.moveToMailbox(mailbox, now);
  },
});

const setTitle = (title: string | null): TicketChange => ({
  part: 'title',
  apply: (ticket, _tx, now) => ticket.set({ title }, now),
});

function snooze(until: Date | null, now: Date): TicketChange {
  if (until && until <= now)
    throw new InvalidField('snoozed_until', 'in_the_past', 'snoozed_until must be in the future');
  return { part: 'snoozed_until', apply: (ticket, _tx, at) => ticket.snooze(until, at) };
}
