import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Agent } from './agent.js';
import { Customer } from './customer.js';
import { Group } from './group.js';
import { Mailbox } from './mailbox.js';

export const TICKET_STATES = ['unread', 'opened', 'pending', 'closed', 'spam'] as const;
export type TicketState = (typeof TICKET_STATES)[number];
export const TICKET_PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const;
export type TicketPriority = (typeof TICKET_PRIORITIES)[number];

@Entity('tickets')
@Index(['accountId', 'number'], { unique: true })
export class Ticket {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @Column('integer') number: number;
  @Column('text', { nullable: true }) title: string | null;
  @Column('text') state: TicketState;
  @Column('text', { nullable: true }) priority: TicketPriority | null;
  @ForeignKey(() => Agent) @Column('uuid', { nullable: true }) assigneeId: string | null;
  @ForeignKey(() => Group) @Column('uuid', { nullable: true }) assignedGroupId: string | null;
  @ForeignKey(() => Mailbox) @Column('uuid') mailboxId: string;
  @ForeignKey(() => Customer) @Column('uuid') customerId: string;
  @Column('text', { array: true, default: [] }) tags: string[];
  @Column('text', { default: '' }) summary: string;
  @Column('integer', { default: 0 }) messageCount: number;
  @ForeignKey(() => Agent) @Column('uuid', { nullable: true }) closedById: string | null;
  /** Seconds from creation to the last close. */
  @Column('integer', { nullable: true }) resolutionTime: number | null;
  @Column('timestamptz', { nullable: true }) snoozedUntil: Date | null;
  @Column('timestamptz', { nullable: true }) deletedAt: Date | null;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;

  // Who and what the ticket points at, loaded with it: a payload names them by e-mail or name, never by row id.
  assignee: Agent | null;
  assignedGroup: Group | null;
  mailbox: Mailbox;
  customer: Customer;
  closedBy: Agent | null;

  /** False when it already is so: a change that changes nothing emits nothing. */
  moveTo(state: TicketState, by: Agent | null, now: Date): boolean {
    if (state === this.state) return false;
    this.state = state;
    this.closedBy = state === 'closed' ? by : null;
    this.closedById = this.closedBy?.id ?? null;
    this.resolutionTime = state === 'closed' ? Math.floor((now.getTime() - this.createdAt.getTime()) / 1000) : null;
    this.updatedAt = now;
    return true;
  }
}
