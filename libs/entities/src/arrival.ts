import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Mailbox } from './mailbox.js';
import { Message, type SenderVerdicts } from './message.js';
import { Ticket } from './ticket.js';

export const ARRIVAL_SOURCES = ['api', 'smtp', 'lmtp', 'imap'] as const;
export type ArrivalSource = (typeof ARRIVAL_SOURCES)[number];

/**
 * `waiting`: accepted, not yet processed. `duplicate`: arrived before. `quarantined`: waits for a person, see `reason`.
 * `unreadable`: became a ticket with the raw email attached. `discarded`: deleted from the quarantine.
 */
export const ARRIVAL_STATES = ['waiting', 'processed', 'duplicate', 'quarantined', 'unreadable', 'discarded'] as const;
export type ArrivalState = (typeof ARRIVAL_STATES)[number];

/** An email accepted for a mailbox. The file store has its bytes under the id of the row. */
@Entity('arrivals')
export class Arrival {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @ForeignKey(() => Mailbox, { onDelete: 'CASCADE' }) @Column('uuid') mailboxId: string;
  @Column('text') source: ArrivalSource;
  /** The addresses of the SMTP envelope, if there was one. Unverified. */
  @Column('text', { nullable: true }) envelopeFrom: string | null;
  @Column('text', { nullable: true }) envelopeTo: string | null;
  @Column('text') hash: string;
  @Column('integer') size: number;
  @Column('text') state: ArrivalState;
  @Column('text', { nullable: true }) reason: string | null;
  /** The Message-ID, which is null until the mail has been parsed. */
  @Column('text', { nullable: true }) mailId: string | null;
  /** A hash without the headers that servers add. */
  @Column('text', { nullable: true }) contentHash: string | null;
  @Column('text', { nullable: true }) sender: string | null;
  @Column('boolean', { default: false }) startedTicket: boolean;
  @ForeignKey(() => Ticket, { onDelete: 'SET NULL' }) @Column('uuid', { nullable: true }) ticketId: string | null;
  @ForeignKey(() => Message, { onDelete: 'SET NULL' }) @Column('uuid', { nullable: true }) messageId: string | null;
  @Column('text', { nullable: true }) subject: string | null;
  @Column('text', { nullable: true }) preview: string | null;
  /** The checks of the receiving server. */
  @Column('jsonb', { nullable: true }) verdicts: SenderVerdicts | null;
  /** Released emails are not quarantined again. */
  @Column('boolean', { default: false }) released: boolean;
  /** Only for imported emails. */
  @Column('timestamptz', { nullable: true }) receivedAt: Date | null = null;
  /** False once the bytes have been deleted. */
  @Column('boolean', { default: true }) hasRaw: boolean;
  @Column('integer', { default: 0 }) tries: number;
  @Column('timestamptz') dueAt: Date;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz', { nullable: true }) processedAt: Date | null;

  ticketNumber: number | null;
}
