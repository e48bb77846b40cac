import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Agent } from './agent.js';
import { Ticket } from './ticket.js';

/** How long a reply of the console waits, in seconds, so that its author can take it back. */
export const UNDO_SECONDS = [0, 5, 10, 30] as const;
export type UndoSeconds = (typeof UNDO_SECONDS)[number];

/** A reply that goes out when its time has come. Until then it is no message, and its author can take it back. */
@Entity('held_replies')
@Index(['dueAt'])
@Index(['ticketId'])
@Index(['agentId'])
export class HeldReply {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @ForeignKey(() => Agent, { onDelete: 'CASCADE' }) @Column('uuid') agentId: string;
  @ForeignKey(() => Ticket, { onDelete: 'CASCADE' }) @Column('uuid') ticketId: string;
  @Column('text') body: string;
  @Column('text', { array: true, default: [] }) ccAddresses: readonly string[];
  /** The ticket is closed once it is sent. */
  @Column('boolean') close: boolean;
  /** Where its page went, for the draft that it becomes when it is taken back. */
  @Column('text') afterSending: string;
  @Column('timestamptz') dueAt: Date;
}
