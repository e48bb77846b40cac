import { isDeepStrictEqual } from 'node:util';
import { type AccountTx, isUuid } from '#libs/database';
import {
  type CustomFields,
  type Customer,
  type DomainError,
  InvalidField,
  Mailbox,
  type Ticket,
  type TicketPriority,
  type TicketState,
} from '#libs/entities';
import type { TicketPart } from '#libs/payloads';
import { findOrCreateCustomer, readCustomer } from './customers/customer.statements.js';
import { findAgent } from './people/agent.statements.js';
import { findGroup } from './people/groups.service.js';
import { mailboxNamed, unknownReference } from './references.js';
import type { RequestContext } from './request-context.js';

/** The fields of a ticket as the API names them: people by email or id, groups and mailboxes by name or id. */
export interface TicketValues {
  readonly state?: TicketState | undefined;
  readonly assignee?: string | null | undefined;
  /** Assigns it to the acting agent if it has no assignee. */
  readonly takes?: boolean | undefined;
  readonly assignedGroup?: string | null | undefined;
  readonly priority?: TicketPriority | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly addTags?: readonly string[] | undefined;
  readonly removeTag?: string | undefined;
  readonly mailbox?: string | undefined;
  /** An unknown email adds a customer. */
  readonly customer?: string | undefined;
  readonly title?: string | null | undefined;
  readonly snoozedUntil?: Date | null | undefined;
  readonly externalId?: string | null | undefined;
  /** Replaces all custom fields. */
  readonly custom?: CustomFields | null | undefined;
}

export interface TicketChange {
  readonly part: TicketPart;
  /** Returns whether it changed anything, or the customer that it added. */
  readonly apply: (ticket: Ticket, now: Date, tx: AccountTx) => boolean | Promise<boolean | Customer>;
}

/** Returns changes in the required order: a change of state ends a snooze. */
export function changesTo(values: TicketValues, { agentId }: RequestContext, now: Date): TicketChange[] {
  const { state, assignee, assignedGroup, priority, tags, addTags, removeTag, mailbox, title, snoozedUntil } = values;
  const { externalId, custom, customer, takes } = values;
  if (snoozedUntil && snoozedUntil <= now)
    throw new InvalidField('snoozed_until', 'in_the_past', 'snoozed_until must be in the future');
  const changes: TicketChange[] = [];
  const change = (part: TicketPart, apply: TicketChange['apply']) => changes.push({ part, apply });
  if (state !== undefined) changes.push(setState(state, agentId));
  if (assignee !== undefined) changes.push(assign(assignee));
  if (takes) changes.push(take(agentId));
  if (assignedGroup !== undefined) changes.push(assignToGroup(assignedGroup));
  if (priority !== undefined) change('priority', (ticket, at) => ticket.set({ priority }, at));
  if (tags !== undefined) change('tags', (ticket, at) => ticket.replaceTags(tags, at));
  // A ticket with the maximum of tags can have one renamed.
  if (removeTag !== undefined) change('tags', (ticket, at) => ticket.removeTag(removeTag, at));
  if (addTags !== undefined) change('tags', (ticket, at) => ticket.addTags(addTags, at));
  if (mailbox !== undefined) changes.push(moveToMailbox(mailbox, unknownReference('mailbox')));
  if (customer !== undefined) changes.push(moveToCustomer(customer));
  if (title !== undefined) change('title', (ticket, at) => ticket.set({ title }, at));
  if (snoozedUntil !== undefined) change('snoozed_until', (ticket, at) => ticket.snooze(snoozedUntil, at));
  if (externalId !== undefined) change('external_id', (ticket, at) => ticket.set({ externalId }, at));
  if (custom !== undefined) change('custom', (ticket, at) => ticket.set({ custom: storedFields(custom) }, at));
  return changes;
}

export const storedFields = (custom: CustomFields | null | undefined): CustomFields | null =>
  custom && Object.keys(custom).length > 0 ? custom : null;

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

const take = (agentId: string): TicketChange => ({
  part: 'assignee',
  apply: async (ticket, now, tx) => ticket.assigneeId === null && ticket.assignTo(await findAgent(tx, agentId), now),
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

const moveToCustomer = (emailOrId: string): TicketChange => ({
  part: 'customer',
  apply: async (ticket, now, tx) => {
    if (isUuid(emailOrId)) return ticket.moveToCustomer(await readCustomer(tx, emailOrId), now);
    const { customer, added } = await findOrCreateCustomer(tx, { email: emailOrId.toLowerCase() }, now);
    return ticket.moveToCustomer(customer, now) && (added ? customer : true);
  },
});

export type UndoableValues = Pick<
  TicketValues,
  'state' | 'priority' | 'tags' | 'title' | 'assignee' | 'assignedGroup' | 'mailbox' | 'snoozedUntil' | 'customer'
>;
export type UndoablePart = keyof UndoableValues;

/** Values without events that a merge changes. JSON has no times, so those of an undo are text. */
export type CarriedValues = Record<'ccAddresses' | 'waitingSince' | 'firstReplyAt' | 'summary', unknown>;

export interface MergedRows {
  readonly number: number;
  readonly rows: readonly string[];
  readonly was: CarriedValues;
  readonly left: CarriedValues;
}

/** Values before and after an action. */
export interface ChangedTicket {
  readonly number: number;
  readonly was: UndoableValues;
  readonly left: UndoableValues;
  /** The ticket that was merged into this one. */
  readonly merged?: MergedRows;
}

export const valuesOf = (ticket: Ticket): Required<UndoableValues> => ({
  state: ticket.state,
  priority: ticket.priority,
  tags: ticket.tags,
  title: ticket.title,
  assignee: ticket.assigneeId,
  assignedGroup: ticket.assignedGroupId,
  mailbox: ticket.mailboxId,
  snoozedUntil: ticket.snoozedUntil,
  customer: ticket.customerId,
});

export function changedTicket(number: number, was: UndoableValues, left: UndoableValues): ChangedTicket {
  const changed = partsOf(was).filter((part) => !isSame(part, was, left));
  return { number, was: pick(was, changed), left: pick(left, changed) };
}

/** Skips fields that others changed since. */
export function valuesToUndo(now: UndoableValues, { was, left }: Pick<ChangedTicket, 'was' | 'left'>) {
  const parts = partsOf(was);
  // A ticket has many tags. Tags that others changed since stay as they are.
  const changedSince = parts.filter((part) => part !== 'tags' && !isSame(part, now, left));
  const restored = pick(
    was,
    parts.filter((part) => !changedSince.includes(part)),
  );
  return { restored: restored.tags ? { ...restored, tags: tagsToRestore(now, was, left) } : restored, changedSince };
}

function tagsToRestore(now: UndoableValues, was: UndoableValues, left: UndoableValues): string[] {
  const before = keysOf(was);
  const after = keysOf(left);
  const kept = (now.tags ?? []).filter((tag) => before.has(keyOf(tag)) || !after.has(keyOf(tag)));
  return [...kept, ...(was.tags ?? []).filter((tag) => !after.has(keyOf(tag)))];
}

const keyOf = (tag: string): string => tag.toLowerCase();
const keysOf = ({ tags = [] }: UndoableValues): Set<string> => new Set(tags.map(keyOf));

const partsOf = (values: UndoableValues): UndoablePart[] => Object.keys(values) as UndoablePart[];

const pick = (values: UndoableValues, parts: readonly UndoablePart[]): UndoableValues =>
  Object.fromEntries(parts.map((part) => [part, values[part]]));

function isSame(part: UndoablePart, one: UndoableValues, other: UndoableValues): boolean {
  if (part !== 'tags') return isDeepStrictEqual(one[part], other[part]);
  const tags = keysOf(one);
  const others = keysOf(other);
  return tags.size === others.size && [...tags].every((tag) => others.has(tag));
}
