import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Agent } from './agent.js';

export const SAVED_REPLY_STATES = ['closed', 'pending'] as const;

/** A text for replies, and what sending it changes in the ticket. */
@Entity('saved_replies')
export class SavedReply {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  /** Null if all agents share it. */
  @ForeignKey(() => Agent, { onDelete: 'CASCADE' }) @Column('uuid', { nullable: true }) agentId: string | null = null;
  @Column('text') name: string;
  /** Names with the same key are equal. */
  @Column('text') nameKey: string;
  @Column('text') body: string;
  @Column('text', { array: true, default: [] }) tags: readonly string[] = [];
  @Column('text', { nullable: true }) state: (typeof SAVED_REPLY_STATES)[number] | null = null;
  /** The email of an agent, which never changes. */
  @Column('text', { nullable: true }) assignee: string | null = null;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;
}
