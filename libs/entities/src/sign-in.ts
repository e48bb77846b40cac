import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Agent } from './agent.js';

@Entity('sessions')
export class Session {
  @PrimaryColumn('uuid') id: string;
  @Column('bytea') hash: Buffer;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @ForeignKey(() => Agent) @Column('uuid') agentId: string;
  @Column('text') userAgent: string;
  @Column('text') address: string;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') lastSeenAt: Date;
  @Column('timestamptz') expiresAt: Date;
}

type LinkPurpose = 'invitation' | 'password';

@Entity('single_use_links')
export class SingleUseLink {
  @PrimaryColumn('bytea') hash: Buffer;
  @Column('text') purpose: LinkPurpose;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @ForeignKey(() => Agent) @Column('uuid') agentId: string;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') expiresAt: Date;
}
