import { isDeepStrictEqual } from 'node:util';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Agent, Group } from './agent.js';
import { type CustomFields, Customer } from './customer.js';
import { InvalidField } from './errors.js';
import { Mailbox } from './mailbox.js';

export const TICKET_STATES = ['unread', 'opened', 'pending', 'closed', 'spam'] as const;
export type TicketState = (typeof TICKET_STATES)[number];
export const TICKET_PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const;
export const MAX_TITLE_CHARACTERS = 500;
export const MAX_EXTERNAL_ID_CHARACTERS = 200;
export const LAST_TEXT_CHARACTERS = 1000;
export type TicketPriority = (typeof TICKET_PRIORITIES)[number];

@Entity('tickets')
export class Ticket {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') accountId: string;
  @Column('integer') number: number;
  @Column('text', { nullable: true }) title: string | null = null;
  @Column('text') state: TicketState;
  @Column('text', { nullable: true }) priority: TicketPriority | null = null;
  @ForeignKey(() => Agent) @Column('uuid', { nullable: true }) assigneeId: string | null = null;
  @ForeignKey(() => Group) @Column('uuid', { nullable: true }) assignedGroupId: string | null = null;
  @ForeignKey(() => Mailbox) @Column('uuid') mailboxId: string;
  @ForeignKey(() => Customer) @Column('uuid') customerId: string;
  @Column('text', { array: true, default: [] }) tags: string[];
  /** Suggested for the next reply from the console. */
  @Column('text', { array: true, default: [] }) ccAddresses: readonly string[] = [];
  @Column('text', { default: '' }) summary: string;
  @Column('integer', { default: 0 }) messageCount: number;
  @ForeignKey(() => Agent) @Column('uuid', { nullable: true }) closedById: string | null = null;
  /** Seconds from creation to the last close. */
  @Column('integer', { nullable: true }) resolutionTime: number | null = null;
  @Column('timestamptz', { nullable: true }) snoozedUntil: Date | null = null;
  /** The time of the first unanswered message of the customer. */
  @Column('timestamptz', { nullable: true }) waitingSince: Date | null = null;
  @Column('timestamptz', { nullable: true }) deletedAt: Date | null = null;
  /** The time of the first message that an agent wrote to the customer after the ticket was started. */
  @Column('timestamptz', { nullable: true }) firstReplyAt: Date | null = null;
  /** Unique in the account. */
  @Column('text', { nullable: true }) externalId: string | null = null;
  /** Null for no fields, so that the rows of most tickets stay small. */
  @Column('jsonb', { nullable: true }) custom: CustomFields | null = null;
  /** The ticket that has the messages of this one. Never merged itself: merging it redirects this one too. */
  @ForeignKey(() => Ticket, { onDelete: 'CASCADE' })
  @Column('uuid', { nullable: true })
  mergedIntoId: string | null = null;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;

  // Loaded with the ticket, because payloads show email addresses and names instead of row ids.
  assignee: Agent | null = null;
  assignedGroup: Group | null = null;
  mailbox: Mailbox;
  customer: Customer;
  closedBy: Agent | null = null;
  /** Number of the ticket with `mergedIntoId`. */
  mergedInto: number | null = null;
  /** The beginning of the last message, notes excluded. */
  lastMessageText: string | null = null;

  // Each method returns whether it changed anything, because a call without a change emits no event.

  setState(state: TicketState, by: Agent | null, now: Date): boolean {
    if (state === this.state) return false;
    this.state = state;
    this.snoozedUntil = null;
    this.closedBy = state === 'closed' ? by : null;
    this.closedById = this.closedBy?.id ?? null;
    this.resolutionTime = state === 'closed' ? Math.floor((now.getTime() - this.createdAt.getTime()) / 1000) : null;
    return this.touch(now);
  }

  assignTo(agent: Agent | null, now: Date): boolean {
    if ((agent?.id ?? null) === this.assigneeId) return false;
    if (agent?.state === 'archived') throw new InvalidField('assignee', 'agent_archived', 'assignee has been archived');
    this.assignee = agent;
    this.assigneeId = agent?.id ?? null;
    return this.touch(now);
  }

  assignToGroup(group: Group | null, now: Date): boolean {
    if ((group?.id ?? null) === this.assignedGroupId) return false;
    this.assignedGroup = group;
    this.assignedGroupId = group?.id ?? null;
    return this.touch(now);
  }

  /** Hides the ticket until then or until the customer writes. Null wakes it. */
  snooze(until: Date | null, now: Date): boolean {
    if ((until?.getTime() ?? null) === (this.snoozedUntil?.getTime() ?? null)) return false;
    this.snoozedUntil = until;
    return this.touch(now);
  }

  moveToMailbox(mailbox: Mailbox, now: Date): boolean {
    if (mailbox.id === this.mailboxId) return false;
    this.mailbox = mailbox;
    this.mailboxId = mailbox.id;
    return this.touch(now);
  }

  /** Replies go to the new customer, so no copy does. */
  moveToCustomer(customer: Customer, now: Date): boolean {
    if (customer.id === this.customerId) return false;
    this.customer = customer;
    this.customerId = customer.id;
    this.ccAddresses = this.ccAddresses.filter((address) => address !== customer.email);
    return this.touch(now);
  }

  set(field: TicketField, now: Date): boolean {
    if (Object.entries(field).every(([name, value]) => isDeepStrictEqual(value, this[name as keyof Ticket])))
      return false;
    Object.assign(this, field);
    return this.touch(now);
  }

  /** Tags are a set: neither order nor case makes a difference. */
  replaceTags(tags: readonly string[], now: Date): boolean {
    const wanted = distinctTags(tags);
    if (wanted.length > MAX_TAGS)
      throw new InvalidField('tags', 'too_many_tags', `a ticket carries at most ${MAX_TAGS} tags`);
    const before = new Set(this.tags.map(keyOfTag));
    if (wanted.length === before.size && wanted.every((tag) => before.has(keyOfTag(tag)))) return false;
    this.tags = wanted;
    return this.touch(now);
  }

  addTags(tags: readonly string[], now: Date): boolean {
    return this.replaceTags([...this.tags, ...tags], now);
  }

  removeTag(tag: string, now: Date): boolean {
    return this.replaceTags(
      this.tags.filter((kept) => keyOfTag(kept) !== keyOfTag(tag)),
      now,
    );
  }

  /** Leaves `updatedAt` alone, so the payload stays as it was. */
  delete(now: Date): void {
    this.deletedAt = now;
  }

  restore(now: Date): void {
    this.deletedAt = null;
    this.touch(now);
  }

  isInHand(): boolean {
    return this.state !== 'closed' && this.state !== 'spam';
  }

  /** Called when the messages of the other ticket move here. The caller applies the changes that have events. */
  absorb(other: Ticket, now: Date): void {
    const waiting = [this, other].filter((ticket) => ticket.isInHand()).map(({ waitingSince }) => waitingSince);
    if (waiting.length > 0) this.waitingSince = earliestOf(waiting);
    this.firstReplyAt = earliestOf([this.firstReplyAt, other.firstReplyAt]);
    this.messageCount += other.messageCount;
    this.touch(now);
    Object.assign(other, { mergedIntoId: this.id, mergedInto: this.number, deletedAt: now, messageCount: 0 });
    other.touch(now);
  }

  /** The opposite of `absorb`, for the messages that moved back. */
  release(other: Ticket, messages: number, now: Date): void {
    this.messageCount -= messages;
    this.touch(now);
    Object.assign(other, { mergedIntoId: null, mergedInto: null, messageCount: messages });
    other.restore(now);
  }

  /** Ends the snooze and reopens the ticket, unless it is spam. Returns whether the state changed. */
  receiveCustomerReply(text: string, now: Date): boolean {
    this.lastMessageText = beginningOf(text);
    this.waitingSince ??= now;
    this.snoozedUntil = null;
    this.count(now);
    return this.state !== 'spam' && this.setState('unread', null, now);
  }

  /** Automatic emails do not reopen the ticket. */
  receiveAutomaticMail(text: string, now: Date): void {
    this.lastMessageText = beginningOf(text);
    this.count(now);
  }

  /** Marks an unread ticket as opened. Returns whether the state changed. */
  receiveAgentReply(text: string, writtenAt: Date, now: Date): boolean {
    this.lastMessageText = beginningOf(text);
    this.waitingSince = null;
    this.firstReplyAt ??= writtenAt;
    this.count(now);
    return this.state === 'unread' && this.setState('opened', null, now);
  }

  receiveNote(now: Date): void {
    this.count(now);
  }

  /** Nothing happens to the ticket now, so it keeps its state, and its place among the others. */
  receiveImported(isReply: boolean, writtenAt: Date): void {
    this.messageCount += 1;
    if (writtenAt > this.updatedAt) this.updatedAt = writtenAt;
    if (isReply && (this.firstReplyAt === null || writtenAt < this.firstReplyAt)) this.firstReplyAt = writtenAt;
  }

  /** To the second. Null if the ticket is not closed. */
  closedAt(): Date | null {
    if (this.state !== 'closed' || this.resolutionTime === null) return null;
    return new Date(this.createdAt.getTime() + this.resolutionTime * 1000);
  }

  private count(now: Date): void {
    this.messageCount += 1;
    this.touch(now);
  }

  private touch(now: Date): true {
    this.updatedAt = now;
    return true;
  }
}

type TicketField = Partial<Pick<Ticket, 'title' | 'priority' | 'externalId' | 'custom'>>;

function earliestOf(times: readonly (Date | null)[]): Date | null {
  const known = times.filter((time) => time !== null);
  return known.length > 0 ? new Date(Math.min(...known.map(Number))) : null;
}

/** Cuts by code point, so that no surrogate pair is split. */
export const beginningOf = (text: string, characters = LAST_TEXT_CHARACTERS): string =>
  Array.from(text.slice(0, characters * 2))
    .slice(0, characters)
    .join('');

export const MAX_TAGS = 50;

const keyOfTag = (tag: string): string => tag.toLowerCase();

export const distinctTags = (tags: readonly string[]): string[] => [
  ...new Map(tags.map((tag) => [keyOfTag(tag), tags.find((first) => keyOfTag(first) === keyOfTag(tag))!])).values(),
];
