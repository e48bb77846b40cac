import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Mailbox } from './mailbox.js';

/** `none` is for a server in the same network. */
export const IMAP_SECURITIES = ['tls', 'starttls', 'none'] as const;
export type ImapSecurity = (typeof IMAP_SECURITIES)[number];

export const IMAP_SIGN_INS = ['password', 'oauth'] as const;
type ImapSignIn = (typeof IMAP_SIGN_INS)[number];

export const IMAP_STATES = ['connected', 'waiting', 'failing', 'paused'] as const;
export type ImapState = (typeof IMAP_STATES)[number];

/** Its id is that of the mailbox. */
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
  @Column('text', { nullable: true }) tokenUrl: string | null;
  @Column('text', { nullable: true }) clientId: string | null;
  /** Password, or refresh token with client secret. AES-256-GCM: nonce, ciphertext and tag. */
  @Column('bytea') sealed: Buffer;
  @Column('text') keyId: string;
  @Column('boolean', { default: false }) paused: boolean;
  /** Incremented when the server renumbers its emails. */
  @Column('integer', { default: 0 }) generation: number;
  /** Null until the first connection. */
  @Column('bigint', { nullable: true }) uidValidity: string | null;
  @Column('bigint', { default: 0 }) lastUid: string;
  /** Emails since this time still have to be compared with the arrivals. Null when done. */
  @Column('timestamptz', { nullable: true }) compareSince: Date | null;
  @Column('timestamptz', { nullable: true }) comparedAt: Date | null;
  /** The worker’s lease. Writes with another lease are rejected. */
  @Column('uuid', { nullable: true }) lease: string | null;
  @Column('timestamptz', { nullable: true }) leasedUntil: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) dueAt: Date;
  @Column('integer', { default: 0 }) tries: number;
  /** The mail at which the last connections ended, and their number in a row. */
  @Column('bigint', { nullable: true }) stuckUid: string | null;
  @Column('integer', { default: 0 }) stuckTries: number;
  @Column('timestamptz', { nullable: true }) connectedAt: Date | null;
  @Column('timestamptz', { nullable: true }) lastResponseAt: Date | null;
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

export const IMAP_IMPORT_STATES = ['waiting', 'running', 'failing', 'done', 'stopped'] as const;
type ImapImportState = (typeof IMAP_IMPORT_STATES)[number];

/** The latest import of older emails. Its id is that of the mailbox. */
@Entity('imap_imports')
export class ImapImport {
  @ForeignKey(() => ImapAccount, { onDelete: 'CASCADE' }) @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  /** Null imports everything. */
  @Column('timestamptz', { nullable: true }) since: Date | null;
  /** Null until a worker has counted. Scopes the UIDs below. */
  @Column('bigint', { nullable: true }) uidValidity: string | null;
  /** The last imported mail and the last one to import. */
  @Column('bigint', { default: 0 }) lastUid: string;
  @Column('bigint', { default: 0 }) endUid: string;
  @Column('integer', { nullable: true }) total: number | null;
  @Column('integer', { default: 0 }) done: number;
  @Column('timestamptz', { default: () => 'now()' }) dueAt: Date;
  @Column('integer', { default: 0 }) tries: number;
  @Column('bigint', { nullable: true }) stuckUid: string | null;
  @Column('integer', { default: 0 }) stuckTries: number;
  @Column('text', { nullable: true }) lastError: string | null;
  @Column('timestamptz') startedAt: Date;
  @Column('timestamptz', { nullable: true }) endedAt: Date | null;
  @Column('boolean', { default: false }) stopped: boolean;

  get state(): ImapImportState {
    if (this.endedAt) return this.stopped ? 'stopped' : 'done';
    if (this.lastError !== null) return 'failing';
    return this.total === null ? 'waiting' : 'running';
  }
}
