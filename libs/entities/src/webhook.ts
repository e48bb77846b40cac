import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Application, Grant } from './access.js';

export const WEBHOOK_STATES = ['active', 'paused', 'disabled'] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];
export type DisabledReason = 'gone' | 'failing' | 'access_revoked';

@Entity('webhooks')
@Index(['accountId', 'event'])
export class Webhook {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  /** The application that made it; null when a person did. */
  @ForeignKey(() => Application) @Column('uuid', { nullable: true }) applicationId: string | null;
  /** The grant it was made under; when that ends, so does the webhook. */
  @ForeignKey(() => Grant) @Column('uuid', { nullable: true }) grantId: string | null;
  @Column('text') event: string;
  @Column('text') url: string;
  @Column('text') state: WebhookState;
  @Column('text', { nullable: true }) disabledReason: DisabledReason | null;
  /** When its deliveries began to fail without one success since. */
  @Column('timestamptz', { nullable: true }) failingSince: Date | null;
  /** A receiver that asked us to slow down is left alone until then. */
  @Column('timestamptz', { nullable: true }) pacedUntil: Date | null;
  /** A receiver that lately kept us waiting to the deadline is asked with one or two deliveries at a time until then. */
  @Column('timestamptz', { nullable: true }) slowUntil: Date | null;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;

  application: Application | null;
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
