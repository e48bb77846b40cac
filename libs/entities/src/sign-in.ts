import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Agent } from './agent.js';

/** A browser an agent is signed in with. Its cookie is known here by SHA-256 only. */
@Entity('sessions')
@Index(['hash'], { unique: true })
@Index(['accountId', 'agentId'])
@Index(['expiresAt'])
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

/** A browser that has given the right password but is not signed in yet: where it goes then, and as whom. */
@Entity('visits')
@Index(['expiresAt'])
export class PendingSignIn {
  @PrimaryColumn('bytea') hash: Buffer;
  @Column('text') returnTo: string;
  /** Agents of several accounts whose password matched, while the person chooses among them. */
  @Column('uuid', { array: true }) agentIds: string[];
  @Column('timestamptz') expiresAt: Date;
}

export type LinkPurpose = 'invitation' | 'password';

/** A link in a mail that lets its reader set a password, once. */
@Entity('single_use_links')
@Index(['accountId', 'agentId'])
@Index(['expiresAt'])
export class SingleUseLink {
  @PrimaryColumn('bytea') hash: Buffer;
  @Column('text') purpose: LinkPurpose;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @ForeignKey(() => Agent) @Column('uuid') agentId: string;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') expiresAt: Date;
}

/** How often something was tried in the current window of time. The key is a digest: no e-mail or address is kept. */
@Entity('throttles')
@Index(['endsAt'])
export class Throttle {
  @PrimaryColumn('bytea') key: Buffer;
  @Column('integer') count: number;
  @Column('timestamptz') endsAt: Date;
}
