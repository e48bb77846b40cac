import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { ImapAccount } from './imap-account.js';

/** `waiting` for a worker to begin; `failing` is tried again by itself. */
export const IMAP_IMPORT_STATES = ['waiting', 'running', 'failing', 'done', 'stopped'] as const;
export type ImapImportState = (typeof IMAP_IMPORT_STATES)[number];

/** The latest import of the mail that a server had before its mailbox was connected. Its id is that of the mailbox. */
@Entity('imap_imports')
export class ImapImport {
  @ForeignKey(() => ImapAccount, { onDelete: 'CASCADE' }) @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  /** Null for all that is there. */
  @Column('timestamptz', { nullable: true }) since: Date | null;
  /** Null until a worker has counted. What follows means nothing under another one. */
  @Column('bigint', { nullable: true }) uidValidity: string | null;
  /** What is done, and where it ends: what comes later comes by itself. */
  @Column('bigint', { default: 0 }) lastUid: string;
  @Column('bigint', { default: 0 }) endUid: string;
  @Column('integer', { nullable: true }) total: number | null;
  /** Mails that were looked at. Those that had arrived before count too. */
  @Column('integer', { default: 0 }) done: number;
  /** When a worker may go on. */
  @Column('timestamptz', { default: () => 'now()' }) dueAt: Date;
  @Column('integer', { default: 0 }) tries: number;
  @Column('bigint', { nullable: true }) stuckUid: string | null;
  @Column('integer', { default: 0 }) stuckTries: number;
  @Column('text', { nullable: true }) lastError: string | null;
  @Column('timestamptz') startedAt: Date;
  @Column('timestamptz', { nullable: true }) endedAt: Date | null;
  /** By a person, before it was done. */
  @Column('boolean', { default: false }) stopped: boolean;

  get state(): ImapImportState {
    if (this.endedAt) return this.stopped ? 'stopped' : 'done';
    if (this.lastError !== null) return 'failing';
    return this.total === null ? 'waiting' : 'running';
  }
}
