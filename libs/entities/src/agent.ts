import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';

export const AGENT_ROLES = ['owner', 'admin', 'agent'] as const;
export type AgentRole = (typeof AGENT_ROLES)[number];
export const AGENT_STATES = ['invited', 'active', 'archived'] as const;
export type AgentState = (typeof AGENT_STATES)[number];

@Entity('agents')
@Index(['accountId', 'email'], { unique: true })
@Index(['email'])
export class Agent {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  /** Kept in lower case, so that matching ignores case by construction. */
  @Column('text') email: string;
  @Column('text') firstName: string;
  @Column('text') lastName: string;
  /** Below their replies in mails. */
  @Column('text', { default: '' }) signature: string = '';
  @Column('text') role: AgentRole;
  @Column('text') state: AgentState;
  @Column('text', { nullable: true }) passwordHash: string | null = null;
  @Column('timestamptz', { nullable: true }) invitedAt: Date | null = null;
  @Column('timestamptz', { nullable: true }) archivedAt: Date | null = null;
  @Column('timestamptz', { nullable: true }) lastSeenAt: Date | null = null;
  /** Null for those who have not signed in since this is kept. */
  @Column('timestamptz', { nullable: true }) signedInAt: Date | null = null;
  /** Null for that of the account. */
  @Column('text', { nullable: true }) timeZone: string | null = null;
  /** Rows of the ticket list take less room. */
  @Column('boolean', { default: false }) compactList: boolean = false;
  /** Mailed when a customer answers on a ticket of theirs. */
  @Column('boolean', { default: false }) mailReplies: boolean = false;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;

  manages(): boolean {
    return manages(this.role);
  }

  archive(now: Date): boolean {
    if (this.state === 'archived') return false;
    this.state = 'archived';
    this.archivedAt = now;
    this.updatedAt = now;
    return true;
  }

  /** Back to where it was: one who never accepted the invitation is still invited. */
  restore(now: Date): boolean {
    if (this.state !== 'archived') return false;
    this.state = this.passwordHash === null ? 'invited' : 'active';
    this.archivedAt = null;
    this.updatedAt = now;
    return true;
  }

  change(fields: AgentFields, now: Date): boolean {
    const told = Object.entries(fields).filter(
      ([name, value]) => value !== undefined && value !== this[name as keyof AgentFields],
    );
    if (told.length === 0) return false;
    Object.assign(this, Object.fromEntries(told), { updatedAt: now });
    return true;
  }
}

export const manages = (role: AgentRole): boolean => role === 'owner' || role === 'admin';

export type AgentFields = { readonly [K in 'firstName' | 'lastName' | 'role' | 'signature']?: Agent[K] | undefined };
