import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Agent } from './agent.js';

export const SCOPES = ['read', 'write', 'webhooks', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** An OAuth client, issued by the operator; people of any account may grant it access to theirs. */
@Entity('applications')
@Index(['clientId'], { unique: true })
export class Application {
  @PrimaryColumn('uuid') id: string;
  @Column('text') name: string;
  @Column('text') clientId: string;
  @Column('bytea') secretHash: Buffer;
  /** The secret before the last rotation, good until its end. */
  @Column('bytea', { nullable: true }) previousSecretHash: Buffer | null;
  @Column('timestamptz', { nullable: true }) previousSecretExpiresAt: Date | null;
  @Column('text', { array: true }) redirectUris: string[];
  @Column('text', { array: true }) scopes: Scope[];
  @Column('timestamptz', { nullable: true }) disabledAt: Date | null;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;
}

/** One consent, or one personal access token: everything issued under it lives and dies with it. */
@Entity('grants')
@Index(['accountId', 'agentId'])
@Index(['applicationId'])
export class Grant {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @ForeignKey(() => Agent) @Column('uuid') agentId: string;
  /** Null for a personal access token. */
  @ForeignKey(() => Application) @Column('uuid', { nullable: true }) applicationId: string | null;
  /** A personal access token's name. */
  @Column('text', { nullable: true }) name: string | null;
  @Column('text', { array: true }) scopes: Scope[];
  /** Whether the application named scopes; only then does the token response carry them. */
  @Column('boolean', { default: false }) scopeRequested: boolean;
  /** True for grants from before webhooks and deliveries needed the scope `read`. They keep what they could do. */
  @Column('boolean', { default: false }) recordsWithoutRead: boolean;
  @Column('timestamptz', { nullable: true }) revokedAt: Date | null;
  @Column('text', { nullable: true }) revokedReason: RevokedReason | null;
  @Column('timestamptz', { nullable: true }) lastUsedAt: Date | null;
  @Column('timestamptz') createdAt: Date;
}

/** Who or what ended a grant: a person or the operator, the application itself, or a sign that something was stolen. */
export type RevokedReason =
  'person' | 'operator' | 'application' | 'code_replayed' | 'refresh_token_reused' | 'agent_archived';

export type TokenKind = 'access' | 'refresh' | 'personal';

/** Only the SHA-256 of a token is kept. */
@Entity('tokens')
@Index(['grantId'])
@Index(['expiresAt'])
export class Token {
  @PrimaryColumn('bytea') hash: Buffer;
  @Column('text') kind: TokenKind;
  @ForeignKey(() => Grant, { onDelete: 'CASCADE' }) @Column('uuid') grantId: string;
  @Column('text', { array: true }) scopes: Scope[];
  @Column('timestamptz') issuedAt: Date;
  @Column('timestamptz') expiresAt: Date;
  @Column('timestamptz', { nullable: true }) consumedAt: Date | null;
  /** With it, the successors of a spent refresh token can be computed again for a repeat within the grace time. */
  @Column('bytea', { nullable: true }) retrySalt: Buffer | null;
}

/** What a consent hands to the application through the browser. A spent one is kept a day, to recognise a second use. */
@Entity('authorization_codes')
@Index(['grantId'])
@Index(['expiresAt'])
export class AuthorizationCode {
  @PrimaryColumn('bytea') hash: Buffer;
  @ForeignKey(() => Grant, { onDelete: 'CASCADE' }) @Column('uuid') grantId: string;
  @Column('text') redirectUri: string;
  /** Null when the application did not use PKCE. */
  @Column('text', { nullable: true }) codeChallenge: string | null;
  @Column('timestamptz') expiresAt: Date;
  @Column('timestamptz', { nullable: true }) consumedAt: Date | null;
}
