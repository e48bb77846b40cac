import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Agent } from './agent.js';

@Entity('groups')
@Index(['accountId', 'name'], { unique: true })
export class Group {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @Column('text') name: string;
  /** Their e-mails, which never change, in order: what `group_members` says, in the form that is shown. */
  @Column('text', { array: true, default: [] }) members: string[];
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;
}

@Entity('group_members')
@Index(['accountId', 'agentId'])
export class GroupMember {
  @ForeignKey(() => Group, { onDelete: 'CASCADE' }) @PrimaryColumn('uuid') groupId: string;
  @ForeignKey(() => Agent) @PrimaryColumn('uuid') agentId: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
}
