import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Agent } from './agent.js';
import { Application, Grant } from './oauth.js';

export const WEBHOOK_STATES = ['active', 'paused', 'disabled'] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];
/** Standard Webhooks: `v1` is HMAC-SHA256 and always present, `v1a` is Ed25519. */
export const SIGNATURE_VERSIONS = ['v1', 'v1a'] as const;
export type SignatureVersion = (typeof SIGNATURE_VERSIONS)[number];
export const AUTHENTICATION_TYPES = ['bearer', 'basic'] as const;
export type AuthenticationType = (typeof AUTHENTICATION_TYPES)[number];
export const DISABLED_REASONS = ['gone', 'failing', 'access_revoked', 'operator'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

export const MAX_WEBHOOK_NAME = 200;

@Entity('webhooks')
export class Webhook {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  /** Null if a person created it. */
  @ForeignKey(() => Application) @Column('uuid', { nullable: true }) applicationId: string | null;
  /** The creator, or the agent who authorised the application. */
  @ForeignKey(() => Agent) @Column('uuid', { nullable: true }) agentId: string | null;
  /** The webhook ends with this grant. */
  @ForeignKey(() => Grant) @Column('uuid', { nullable: true }) grantId: string | null;
  @Column('text') event: string;
  @Column('text') url: string;
  /** Makes creator, event and URL unique. Null for older duplicates. */
  @Column('bytea', { nullable: true }) registrationKey: Buffer | null;
  @Column('text') state: WebhookState;
  @Column('text', { nullable: true }) disabledReason: DisabledReason | null;
  /** Also signs deliveries with the account’s Ed25519 key. */
  @Column('boolean', { default: false }) publiclySigned: boolean;
  @Column('text', { nullable: true }) name: string | null;
  /** The client’s name for it. Unique for its maker; null if registered without one. */
  @Column('text', { nullable: true }) key: string | null;
  /** Equal for the webhooks of one request. */
  @Column('uuid', { nullable: true }) requestId: string | null;
  /** As written. The worker never reads it: `filterAll` and `filterNone` decide. */
  @Column('text', { nullable: true }) filter: string | null;
  @Column('text', { array: true, nullable: true }) filterAll: readonly string[] | null;
  @Column('text', { array: true, nullable: true }) filterNone: readonly string[] | null;
  @Column('text', { array: true, default: [] }) headerNames: readonly string[];
  @Column('text', { nullable: true }) authenticationType: AuthenticationType | null;
  /** The row of `webhook_secrets` with the values of the headers. */
  @Column('uuid', { nullable: true }) headersId: string | null;
  @Column('timestamptz', { nullable: true }) warnedAt: Date | null;
  @Column('timestamptz', { nullable: true }) failingSince: Date | null;
  /** No deliveries until then, at the request of the receiver. */
  @Column('timestamptz', { nullable: true }) retryAfterUntil: Date | null;
  /** At most two concurrent deliveries until then, after timeouts. */
  @Column('timestamptz', { nullable: true }) slowUntil: Date | null;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;

  application: Pick<Application, 'name'> | null;

  /** The health of the previous receiver does not apply to the new one. */
  changeUrl(url: string, now: Date): boolean {
    if (url === this.url) return false;
    this.url = url;
    return this.resetHealth(now);
  }

  /** A name is for people, a key for programs. */
  label(as: 'name' | 'key', text: string | null, now: Date): boolean {
    if (text === this[as]) return false;
    this[as] = text;
    this.updatedAt = now;
    return true;
  }

  setSignatures(versions: readonly SignatureVersion[], now: Date): boolean {
    const publiclySigned = versions.includes('v1a');
    if (publiclySigned === this.publiclySigned) return false;
    this.publiclySigned = publiclySigned;
    this.updatedAt = now;
    return true;
  }

  /** A webhook that is enabled again starts as healthy. */
  setState(state: Exclude<WebhookState, 'disabled'>, now: Date): boolean {
    if (state === this.state) return false;
    const wasDisabled = this.state === 'disabled';
    this.state = state;
    this.disabledReason = null;
    if (state === 'active') this.failingSince = this.warnedAt = null;
    this.updatedAt = now;
    return wasDisabled ? this.resetHealth(now) : true;
  }

  private resetHealth(now: Date): true {
    this.failingSince = null;
    this.warnedAt = null;
    this.retryAfterUntil = null;
    this.slowUntil = null;
    this.updatedAt = now;
    return true;
  }
}

@Entity('webhook_secrets')
export class WebhookSecret {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @ForeignKey(() => Webhook, { onDelete: 'CASCADE' }) @Column('uuid') webhookId: string;
  /** AES-256-GCM: nonce, ciphertext and tag. */
  @Column('bytea') sealed: Buffer;
  @Column('text') keyId: string;
  /** Otherwise it is a JSON object of headers that are sent to the receiver. */
  @Column('boolean', { default: true }) signs: boolean;
  @Column('timestamptz') createdAt: Date;
  /** Set at rotation. Both secrets sign until then. */
  @Column('timestamptz', { nullable: true }) expiresAt: Date | null;
}
