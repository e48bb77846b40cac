import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';

@Entity('mailboxes')
export class Mailbox {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @Column('text') name: string;
  @Column('text') email: string;
  /** If several mailboxes have the same address, the first receives the mail. */
  @Column('timestamptz', { default: () => 'now()' }) emailSince: Date;
  @Column('boolean', { default: false }) repliesByMail: boolean;
  /** The receiving server’s name in `Authentication-Results`. Null ignores these headers. */
  @Column('text', { nullable: true }) authservId: string | null = null;
  @Column('text', { default: '' }) signature: string;
  @Column('boolean', { default: false }) hasSmtp: boolean;
  /** In days since 1970, with the volume of that day. */
  @Column('integer', { nullable: true }) unknownSendersDay: number | null = null;
  @Column('integer', { default: 0 }) unknownSendersKib = 0;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;
}

/** `none` is for a server in the same network. */
export const SMTP_SECURITIES = ['tls', 'starttls', 'none'] as const;
export type SmtpSecurity = (typeof SMTP_SECURITIES)[number];

/** Its id is that of the mailbox. */
@Entity('mailbox_smtp')
export class MailboxSmtp {
  @ForeignKey(() => Mailbox, { onDelete: 'CASCADE' }) @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @Column('text') host: string;
  @Column('integer') port: number;
  @Column('text') security: SmtpSecurity;
  @Column('text', { nullable: true }) username: string | null;
  /** The password. AES-256-GCM: nonce, ciphertext and tag. */
  @Column('bytea', { nullable: true }) sealed: Buffer | null;
  @Column('text', { nullable: true }) keyId: string | null;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;
}
