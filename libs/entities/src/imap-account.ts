import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Mailbox } from './mailbox.js';

/** `tls` from the first byte on; `starttls` before anything is said that matters; `none` for a server next door. */
export const IMAP_SECURITIES = ['tls', 'starttls', 'none'] as const;
export type ImapSecurity = (typeof IMAP_SECURITIES)[number];

export const IMAP_SIGN_INS = ['password', 'oauth'] as const;
export type ImapSignIn = (typeof IMAP_SIGN_INS)[number];

/** `waiting` for a worker, or for its next try. */
export const IMAP_STATES = ['connected', 'waiting', 'failing', 'paused'] as const;
export type ImapState = (typeof IMAP_STATES)[number];

/** Where a mailbox gets its mail by IMAP, and how far that went. Its id is that of the mailbox. */
@Entity('imap_accounts')
export class ImapAccount {
  @ForeignKey(() => Mailbox, { onDelete: 'CASCADE' }) @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @Column('text') host: string;
  @Column('integer') port: number;
  @Column('text') security: ImapSecurity;
  @Column('text') username: string;
  @Column('text') folder: string;
  @Column('text') signIn: ImapSignIn;
  /** Where a refresh token is changed for an access token, and as whom. */
  @Column('text', { nullable: true }) tokenUrl: string | null;
  @Column('text', { nullable: true }) clientId: string | null;
  /** The password, or the refresh token with the secret of the client. AES-256-GCM: nonce, ciphertext and tag in one. */
  @Column('bytea') sealed: Buffer;
  @Column('text') keyId: string;
  @Column('boolean', { default: false }) paused: boolean;
  /** Grows when the server numbers its mails anew, since what was known by number is not known any more. */
  @Column('integer', { default: 0 }) generation: number;
  /** Null until the first connection: it decides which mails are older. */
  @Column('bigint', { nullable: true }) uidValidity: string | null;
  @Column('bigint', { default: 0 }) lastUid: string;
  /** Since when what the server has is to be compared with what arrived. Null when that is done. */
  @Column('timestamptz', { nullable: true }) compareSince: Date | null;
  @Column('timestamptz', { nullable: true }) comparedAt: Date | null;
  /** Of the worker that has it. Whoever else writes with another lease is refused. */
  @Column('uuid', { nullable: true }) lease: string | null;
  @Column('timestamptz', { nullable: true }) leasedUntil: Date | null;
  /** When a worker may take it. */
  @Column('timestamptz', { default: () => 'now()' }) dueAt: Date;
  @Column('integer', { default: 0 }) tries: number;
  /** The mail at which the last connections ended, and how many of them in a row. */
  @Column('bigint', { nullable: true }) stuckUid: string | null;
  @Column('integer', { default: 0 }) stuckTries: number;
  @Column('timestamptz', { nullable: true }) connectedAt: Date | null;
  @Column('timestamptz', { nullable: true }) heardAt: Date | null;
  @Column('timestamptz', { nullable: true }) failingSince: Date | null;
  @Column('text', { nullable: true }) lastError: string | null;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;

  get state(): ImapState {
    if (this.paused) return 'paused';
    if (this.failingSince) return 'failing';
    return this.connectedAt ? 'connected' : 'waiting';
  }
}

/** A mail that a server has and that is known: it arrived, or was there before the first connection. */
@Entity('imap_mails')
@Index(['mailboxId', 'hash'])
@Index(['mailboxId', 'seenAt'])
export class ImapMail {
  @ForeignKey(() => ImapAccount, { onDelete: 'CASCADE' }) @PrimaryColumn('uuid') mailboxId: string;
  @PrimaryColumn('integer') generation: number;
  @PrimaryColumn('bigint') uid: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  /** Of all bytes, or of what the server says of a mail that was never read. */
  @Column('text') hash: string;
  @Column('timestamptz') seenAt: Date;
}
