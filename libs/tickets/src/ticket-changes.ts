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
  readonly apply: (ticket: Ticket, now: Date, tx: AccountTx) => boolean | Promise<boolean>;
}

/** Returns changes in the required order: a change of state ends a snooze. */
export function changesTo(values: TicketValues, { agentId }: RequestContext, now: Date): TicketChange[] {
  const { state, assignee, assignedGroup, priority, tags, mailbox, title, snoozedUntil } = values;
  if (snoozedUntil && snoozedUntil <= now)
    throw new InvalidField('snoozed_until', 'in_the_past', 'snoozed_until must be in the future');
  const changes: TicketChange[] = [];
  const change = (part: TicketPart, apply: TicketChange['apply']) => changes.push({ part, apply });
  if (state !== undefined) changes.push(setState(state, agentId));
  if (assignee !== undefined) changes.push(assign(assignee));
  if (assignedGroup !== undefined) changes.push(assignToGroup(assignedGroup));
  if (priority !== undefined) change('priority', (ticket, at) => ticket.set({ priority }, at));
  if (tags !== undefined) change('tags', (ticket, at) => ticket.replaceTags(tags, at));
  if (mailbox !== undefined) changes.push(moveToMailbox(mailbox, unknownReference('mailbox')));
  if (title !== undefined) change('title', (ticket, at) => ticket.set({ title }, at));
  if (snoozedUntil !== undefined) change('snoozed_until', (ticket, at) => ticket.snooze(snoozedUntil, at));
  return changes;
}

const setState = (state: TicketState, agentId: string): TicketChange => ({
  part: 'state',
  apply: async (ticket, now, tx) =>
    ticket.setState(state, state === 'closed' ? await findAgent(tx, agentId) : null, now),
});

const assign = (emailOrId: string | null): TicketChange => ({
  part: 'assignee',
  apply: async (ticket, now, tx) => {
    const agent = emailOrId === null ? null : await findAgent(tx, emailOrId);
    if (emailOrId !== null && !agent) throw unknownReference('assignee');
    return ticket.assignTo(agent, now);
  },
});

const assignToGroup = (name: string | null): TicketChange => ({
  part: 'assigned_group',
  apply: async (ticket, now, tx) => {
    const group = name === null ? null : await findGroup(tx, name);
    if (name !== null && !group) throw unknownReference('assigned_group');
    return ticket.assignToGroup(group, now);
  },
});

export const moveToMailbox = (name: string, refusal: DomainError): TicketChange => ({
  part: 'mailbox',
  apply: async (ticket, now, tx) => {
    const mailbox = await tx.repository(Mailbox).findOne(...mailboxNamed(name));
    if (!mailbox) throw refusal;
    return ticket.moveToMailbox(mailbox, now);
  },
});

export const addTags = (tags: readonly string[]): TicketChange => ({
  part: 'tags',
  apply: (ticket, now) => ticket.addTags(tags, now),
});

export const removeTag = (tag: string): TicketChange => ({
  part: 'tags',
  apply: (ticket, now) => ticket.removeTag(tag, now),
});
