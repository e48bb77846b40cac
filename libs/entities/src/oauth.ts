import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Agent } from './agent.js';
import type { Scope } from './scopes.js';

/** The API and the MCP server: what a token is good for (RFC 8707). */
export const AUDIENCES = ['api', 'mcp'] as const;
export type Audience = (typeof AUDIENCES)[number];

/** An OAuth client: of the operator for all accounts, of one account, or one whose id is the URL of its metadata. */
@Entity('applications')
export class Application {
  @PrimaryColumn('uuid') id: string;
  @Column('text') name: string;
  @Column('text') clientId: string;
  /** Only agents of this account can give it access. Null for all accounts. */
  @ForeignKey(() => Account) @Column('uuid', { nullable: true }) makerAccountId: string | null;
  @Column('text', { nullable: true }) homePage: string | null;
  /** Null for a public client. */
  @Column('bytea', { nullable: true }) secretHash: Buffer | null;
  @Column('timestamptz', { nullable: true }) secretUsedAt: Date | null;
  @Column('bytea', { nullable: true }) previousSecretHash: Buffer | null;
  @Column('timestamptz', { nullable: true }) previousSecretExpiresAt: Date | null;
  @Column('timestamptz', { nullable: true }) previousSecretUsedAt: Date | null;
  @Column('text', { array: true }) redirectUris: string[];
  @Column('text', { array: true }) scopes: Scope[];
  /** The operator’s approval. Only owners and admins register webhooks with an application that lacks it. */
  @Column('timestamptz', { nullable: true }) approvedAt: Date | null;
  /** When the metadata document is read again. Null for other clients. */
  @Column('timestamptz', { nullable: true }) metadataExpiresAt: Date | null;
  @Column('timestamptz', { nullable: true }) disabledAt: Date | null;
  /** The account that made it cannot enable it. */
  @Column('boolean', { default: false }) disabledByOperator: boolean;
  /** The row stays, because messages name the application. */
  @Column('boolean', { default: false }) deleted: boolean;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;
}

/**
 * The access that a person gave an application, or a personal access token. Revoking it ends everything issued under it. A person
 * has one for an application, which each consent extends.
 */
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
  /** Chosen on the consent page. Null until it is revoked. */
  @Column('timestamptz', { nullable: true }) expiresAt: Date | null;
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
  | 'agent_archived'
  | 'expired';

type TokenKind = 'access' | 'refresh' | 'personal';

/** Only the SHA-256 of a token is stored. */
@Entity('tokens')
export class Token {
  @PrimaryColumn('bytea') hash: Buffer;
  @Column('text') kind: TokenKind;
  @ForeignKey(() => Grant, { onDelete: 'CASCADE' }) @Column('uuid') grantId: string;
  @Column('text', { array: true }) scopes: Scope[];
  /** Whether the application requested scopes; only then does the token response include them. */
  @Column('boolean', { default: false }) scopeRequested: boolean;
  /** Ignored for personal access tokens, which are good for all. */
  @Column('text', { array: true, default: ['api'] }) audiences: Audience[];
  /** Shared by the tokens that descend from one code. */
  @Column('uuid', { nullable: true }) chainId: string | null;
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
  @Column('text', { array: true }) scopes: Scope[];
  @Column('boolean') scopeRequested: boolean;
  @Column('text', { array: true }) audiences: Audience[];
  @Column('text') redirectUri: string;
  /** Null without PKCE. */
  @Column('text', { nullable: true }) codeChallenge: string | null;
  @Column('timestamptz') expiresAt: Date;
  @Column('timestamptz', { nullable: true }) consumedAt: Date | null;
}
