import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';

export const AGENT_ROLES = ['owner', 'admin', 'agent'] as const;
export type AgentRole = (typeof AGENT_ROLES)[number];
export const AGENT_STATES = ['invited', 'active', 'archived'] as const;
export type AgentState = (typeof AGENT_STATES)[number];
/** Reasons for an email to an agent: `replies` and `assigned` are about the agent's tickets, `groups` about new ones of a group. */
export const MAIL_ABOUT = ['replies', 'assigned', 'mentions', 'groups'] as const;
export type MailAbout = (typeof MAIL_ABOUT)[number];

@Entity('agents')
export class Agent {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  /** In lower case. */
  @Column('text') email: string;
  @Column('text') firstName: string;
  @Column('text') lastName: string;
  @Column('text', { default: '' }) signature: string = '';
  @Column('text') role: AgentRole;
  @Column('text') state: AgentState;
  @Column('text', { nullable: true }) passwordHash: string | null = null;
  @Column('timestamptz', { nullable: true }) invitedAt: Date | null = null;
  @Column('timestamptz', { nullable: true }) archivedAt: Date | null = null;
  @Column('timestamptz', { nullable: true }) lastSeenAt: Date | null = null;
  @Column('timestamptz', { nullable: true }) signedInAt: Date | null = null;
  /** Null uses the time zone of the account. */
  @Column('text', { nullable: true }) timeZone: string | null = null;
  @Column('text', { array: true, default: [] }) mailAbout: readonly MailAbout[] = [];
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

  /** Agents without a password become `invited` again. */
  restore(now: Date): boolean {
    if (this.state !== 'archived') return false;
    this.state = this.passwordHash === null ? 'invited' : 'active';
    this.archivedAt = null;
    this.updatedAt = now;
    return true;
  }

  change(fields: AgentFields, now: Date): boolean {
    const changed = Object.entries(fields).filter(
      ([name, value]) => value !== undefined && value !== this[name as keyof AgentFields],
    );
    if (changed.length === 0) return false;
    Object.assign(this, Object.fromEntries(changed), { updatedAt: now });
    return true;
  }
}

export const manages = (role: AgentRole): boolean => role === 'owner' || role === 'admin';

export type AgentFields = { readonly [K in 'firstName' | 'lastName' | 'role' | 'signature']?: Agent[K] | undefined };

@Entity('groups')
export class Group {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @Column('text') name: string;
  /** The sorted, immutable email addresses of `group_members`. */
  @Column('text', { array: true, default: [] }) members: string[];
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;
}

@Entity('group_members')
export class GroupMember {
  @ForeignKey(() => Group, { onDelete: 'CASCADE' }) @PrimaryColumn('uuid') groupId: string;
  @ForeignKey(() => Agent) @PrimaryColumn('uuid') agentId: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
}
