import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Agent } from './agent.js';

/** The app that makes an agent's codes: the secret that it shares with us. */
@Entity('authenticators')
export class Authenticator {
  @ForeignKey(() => Agent) @PrimaryColumn('uuid') agentId: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  /** AES-256-GCM: nonce, ciphertext and tag in one. */
  @Column('bytea') sealed: Buffer;
  @Column('text') keyId: string;
  /** The time step of the last code that was accepted. A code of this step or an earlier one is never accepted again. */
  @Column('integer', { default: 0 }) lastStep: number;
  /** Null while it is being set up. */
  @Column('timestamptz', { nullable: true }) confirmedAt: Date | null;
  @Column('timestamptz') createdAt: Date;
}

/** Opens the account once, for an agent whose app is lost. Deleted when it is used. */
@Entity('recovery_codes')
@Index(['accountId', 'agentId'])
export class RecoveryCode {
  @PrimaryColumn('bytea') hash: Buffer;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @ForeignKey(() => Agent) @Column('uuid') agentId: string;
  @Column('timestamptz') createdAt: Date;
}

/** A sign-in whose password was right and that still needs a code. The browser holds its token. */
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
