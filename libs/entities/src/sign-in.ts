import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Agent } from './agent.js';

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

/** A browser after the password and before the session. */
@Entity('visits')
@Index(['expiresAt'])
export class PendingSignIn {
  @PrimaryColumn('bytea') hash: Buffer;
  @Column('text') returnTo: string;
  /** The agents whose password matched, for the choice of an account. */
  @Column('uuid', { array: true }) agentIds: string[];
  @Column('timestamptz') expiresAt: Date;
}

type LinkPurpose = 'invitation' | 'password';

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

/** Attempts in the current window. The key is a digest. */
@Entity('throttles')
@Index(['endsAt'])
export class Throttle {
  @PrimaryColumn('bytea') key: Buffer;
  @Column('integer') count: number;
  @Column('timestamptz') endsAt: Date;
}

/** The shared secret of an agent’s authenticator app. */
@Entity('authenticators')
export class Authenticator {
  @ForeignKey(() => Agent) @PrimaryColumn('uuid') agentId: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  /** AES-256-GCM: nonce, ciphertext and tag. */
  @Column('bytea') sealed: Buffer;
  @Column('text') keyId: string;
  /** The time step of the last accepted code. Codes of this or an earlier step are rejected. */
  @Column('integer', { default: 0 }) lastStep: number;
  /** Null during setup. */
  @Column('timestamptz', { nullable: true }) confirmedAt: Date | null;
  @Column('timestamptz') createdAt: Date;
}

/** Replaces a code once. Deleted when it is used. */
@Entity('recovery_codes')
@Index(['accountId', 'agentId'])
export class RecoveryCode {
  @PrimaryColumn('bytea') hash: Buffer;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @ForeignKey(() => Agent) @Column('uuid') agentId: string;
  @Column('timestamptz') createdAt: Date;
}

/** A sign-in that still needs a code. The browser has its token. */
@Entity('sign_in_challenges')
@Index(['accountId', 'agentId'])
@Index(['expiresAt'])
export class SignInChallenge {
  @PrimaryColumn('bytea') hash: Buffer;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @ForeignKey(() => Agent) @Column('uuid') agentId: string;
  @Column('text') returnTo: string;
  @Column('integer', { default: 0 }) tries: number;
  @Column('timestamptz') expiresAt: Date;
}
