import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Mailbox } from './mailbox.js';

/** `tls` from the first byte on; `starttls` before anything is said that matters; `none` for a server next door. */
export const SMTP_SECURITIES = ['tls', 'starttls', 'none'] as const;
export type SmtpSecurity = (typeof SMTP_SECURITIES)[number];

/** The mail server through which the mails of one mailbox go out. Its id is that of the mailbox. */
@Entity('mailbox_smtp')
@Index(['accountId'])
export class MailboxSmtp {
  @ForeignKey(() => Mailbox, { onDelete: 'CASCADE' }) @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @Column('text') host: string;
  @Column('integer') port: number;
  @Column('text') security: SmtpSecurity;
  @Column('text', { nullable: true }) username: string | null;
  /** The password. AES-256-GCM: nonce, ciphertext and tag in one. */
  @Column('bytea', { nullable: true }) sealed: Buffer | null;
  @Column('text', { nullable: true }) keyId: string | null;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;
}
