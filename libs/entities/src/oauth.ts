import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Agent } from './agent.js';

export const SCOPES = ['read', 'write', 'webhooks', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** An OAuth client, created by the operator for all accounts. */
@Entity('applications')
export class Application {
  @PrimaryColumn('uuid') id: string;
  @Column('text') name: string;
  @Column('text') clientId: string;
  @Column('bytea') secretHash: Buffer;
  @Column('bytea', { nullable: true }) previousSecretHash: Buffer | null;
  @Column('timestamptz', { nullable: true }) previousSecretExpiresAt: Date | null;
  @Column('text', { array: true }) redirectUris: string[];
  @Column('text', { array: true }) scopes: Scope[];
  @Column('timestamptz', { nullable: true }) disabledAt: Date | null;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;
}

/** A consent or a personal access token. Revoking it ends everything issued under it. */
@Entity('grants')
export class Grant {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @ForeignKey(() => Agent) @Column('uuid') agentId: string;
  /** Null for a personal access token. */
  @ForeignKey(() => Application) @Column('uuid', { nullable: true }) applicationId: string | null;
  /** The name of a personal access token. */
  @Column('text', { nullable: true }) name: string | null;
  @Column('text', { array: true }) scopes: Scope[];
  /** Whether the application requested scopes; only then does the token response include them. */
  @Column('boolean', { default: false }) scopeRequested: boolean;
  @Column('timestamptz', { nullable: true }) revokedAt: Date | null;
  @Column('text', { nullable: true }) revokedReason: RevokedReason | null;
  @Column('timestamptz', { nullable: true }) lastUsedAt: Date | null;
  @Column('timestamptz') createdAt: Date;
}

export type RevokedReason =
  | 'person'
  | 'operator'
  | 'application'
  | 'code_replayed'
  | 'refresh_token_reused'
  | 'agent_archived';

type TokenKind = 'access' | 'refresh' | 'personal';

/** Only the SHA-256 of a token is stored. */
@Entity('tokens')
export class Token {
  @PrimaryColumn('bytea') hash: Buffer;
  @Column('text') kind: TokenKind;
  @ForeignKey(() => Grant, { onDelete: 'CASCADE' }) @Column('uuid') grantId: string;
  @Column('text', { array: true }) scopes: Scope[];
  @Column('timestamptz') issuedAt: Date;
  @Column('timestamptz') expiresAt: Date;
  @Column('timestamptz', { nullable: true }) consumedAt: Date | null;
  /** Recomputes the successors of a refresh token when its request is retried. */
  @Column('bytea', { nullable: true }) retrySalt: Buffer | null;
}

/** Kept for a day after use, to detect a second one. */
@Entity('authorization_codes')
export class AuthorizationCode {
  @PrimaryColumn('bytea') hash: Buffer;
  @ForeignKey(() => Grant, { onDelete: 'CASCADE' }) @Column('uuid') grantId: string;
  @Column('text') redirectUri: string;
  /** Null without PKCE. */
  @Column('text', { nullable: true }) codeChallenge: string | null;
  @Column('timestamptz') expiresAt: Date;
  @Column('timestamptz', { nullable: true }) consumedAt: Date | null;
}
