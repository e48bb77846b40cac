import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Application, Grant } from './oauth.js';
import { Agent } from './agent.js';

export const WEBHOOK_STATES = ['active', 'paused', 'disabled'] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];
/** Of Standard Webhooks: HMAC-SHA256 with a secret, and Ed25519. The first always signs. */
export const SIGNATURE_VERSIONS = ['v1', 'v1a'] as const;
export type SignatureVersion = (typeof SIGNATURE_VERSIONS)[number];
export type DisabledReason = 'gone' | 'failing' | 'access_revoked' | 'operator';

@Entity('webhooks')
@Index(['accountId', 'event'])
@Index(['accountId', 'id'])
@Index('webhooks_registration_idx', ['accountId', 'registrationKey'], { unique: true })
export class Webhook {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  /** The application that made it; null when a person did. */
  @ForeignKey(() => Application) @Column('uuid', { nullable: true }) applicationId: string | null;
  /** Who made it, or let the application make it. */
  @ForeignKey(() => Agent) @Column('uuid', { nullable: true }) agentId: string | null;
  /** The grant it was made under; when that ends, so does the webhook. */
  @ForeignKey(() => Grant) @Column('uuid', { nullable: true }) grantId: string | null;
  @Column('text') event: string;
  @Column('text') url: string;
  /** The same for the same maker, kind of event and address. Null for those that were the same before that was refused. */
  @Column('bytea', { nullable: true }) registrationKey: Buffer | null;
  @Column('text') state: WebhookState;
  @Column('text', { nullable: true }) disabledReason: DisabledReason | null;
  /** Deliveries are signed with a key of the account as well, of which everybody can have the public half. */
  @Column('boolean', { default: false }) publiclySigned: boolean;
  /** When its deliveries began to fail without one success since. */
  @Column('timestamptz', { nullable: true }) failingSince: Date | null;
  /** A receiver that asked us to slow down is left alone until then. */
  @Column('timestamptz', { nullable: true }) pacedUntil: Date | null;
  /** A receiver that lately kept us waiting to the deadline is asked with one or two deliveries at a time until then. */
  @Column('timestamptz', { nullable: true }) slowUntil: Date | null;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;

  application: Pick<Application, 'name'> | null;

  /** Another address is another receiver: what was learnt of the one before says nothing of it. */
  changeUrl(url: string, now: Date): boolean {
    if (url === this.url) return false;
    this.url = url;
    return this.resetHealth(now);
  }

  setSignatures(versions: readonly SignatureVersion[], now: Date): boolean {
    const publiclySigned = versions.includes('v1a');
    if (publiclySigned === this.publiclySigned) return false;
    this.publiclySigned = publiclySigned;
    this.updatedAt = now;
    return true;
  }

  /** Whoever is turned on again is taken to be well: while it was off, nothing could show that it is. */
  setState(state: Exclude<WebhookState, 'disabled'>, now: Date): boolean {
    if (state === this.state) return false;
    const wasDisabled = this.state === 'disabled';
    this.state = state;
    this.disabledReason = null;
    if (state === 'active') this.failingSince = null;
    this.updatedAt = now;
    return wasDisabled ? this.resetHealth(now) : true;
  }

  private resetHealth(now: Date): true {
    this.failingSince = null;
    this.pacedUntil = null;
    this.slowUntil = null;
    this.updatedAt = now;
    return true;
  }
}

@Entity('webhook_secrets')
@Index(['webhookId'])
export class WebhookSecret {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @ForeignKey(() => Webhook, { onDelete: 'CASCADE' }) @Column('uuid') webhookId: string;
  /** AES-256-GCM: nonce, ciphertext and tag in one. */
  @Column('bytea') sealed: Buffer;
  @Column('text') keyId: string;
  @Column('timestamptz') createdAt: Date;
  /** Set when a newer secret replaced it; both sign until then. */
  @Column('timestamptz', { nullable: true }) expiresAt: Date | null;
}
