import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Mailbox } from './mailbox.js';
import { Message } from './message.js';
import type { SenderVerdicts } from './sender-verdicts.js';
import { Ticket } from './ticket.js';

export const ARRIVAL_SOURCES = ['api', 'smtp', 'lmtp', 'imap'] as const;
export type ArrivalSource = (typeof ARRIVAL_SOURCES)[number];

/**
 * `waiting` is accepted and not yet understood. `repeated` came before; `held` waits for a person, and `reason` says why.
 * `unreadable` became a ticket with the raw mail attached. `discarded` was held, and nobody wanted it.
 */
export const ARRIVAL_STATES = ['waiting', 'understood', 'repeated', 'held', 'unreadable', 'discarded'] as const;
export type ArrivalState = (typeof ARRIVAL_STATES)[number];

/** A mail that was accepted for a mailbox. Its bytes are in the file store, under the id of the row. */
@Entity('arrivals')
@Index('arrivals_due_idx', ['dueAt'], { where: "(state = 'waiting'::text)" })
@Index('arrivals_once_idx', ['mailboxId', 'mailId', 'contentHash'], {
  unique: true,
  where: "((mail_id IS NOT NULL) AND (state <> 'repeated'::text))",
})
@Index('arrivals_raw_idx', ['understoodAt'], {
  where: "(has_raw AND (state = ANY (ARRAY['understood'::text, 'repeated'::text])))",
})
@Index('arrivals_listed_idx', ['accountId', 'state', 'createdAt', 'id'])
@Index('arrivals_held_idx', ['understoodAt'], { where: "(state = 'held'::text)" })
@Index(['accountId', 'mailId'])
@Index(['accountId', 'sender', 'understoodAt'])
@Index(['messageId'])
@Index(['ticketId'])
export class Arrival {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @ForeignKey(() => Mailbox, { onDelete: 'CASCADE' }) @Column('uuid') mailboxId: string;
  @Column('text') source: ArrivalSource;
  /** As the envelope said, if there was one. It is a claim, like everything in a mail. */
  @Column('text', { nullable: true }) envelopeFrom: string | null;
  @Column('text', { nullable: true }) envelopeTo: string | null;
  /** SHA-256 of all bytes. */
  @Column('text') hash: string;
  @Column('integer') size: number;
  @Column('text') state: ArrivalState;
  @Column('text', { nullable: true }) reason: string | null;
  /** What the mail says of itself, once that was read. */
  @Column('text', { nullable: true }) mailId: string | null;
  /** Of what the sender wrote, without the lines that each server on the way adds. */
  @Column('text', { nullable: true }) contentHash: string | null;
  @Column('text', { nullable: true }) sender: string | null;
  @Column('boolean', { default: false }) startedTicket: boolean;
  @ForeignKey(() => Ticket, { onDelete: 'SET NULL' }) @Column('uuid', { nullable: true }) ticketId: string | null;
  @ForeignKey(() => Message, { onDelete: 'SET NULL' }) @Column('uuid', { nullable: true }) messageId: string | null;
  /** What a mail that is held says, as text. */
  @Column('text', { nullable: true }) subject: string | null;
  @Column('text', { nullable: true }) preview: string | null;
  /** What the mailbox’s own server found out about its sender. */
  @Column('jsonb', { nullable: true }) verdicts: SenderVerdicts | null;
  /** A person has looked at it, so it is not held again. */
  @Column('boolean', { default: false }) released: boolean;
  /** When the server got a mail that is older than its mailbox here. Null for one that came by itself. */
  @Column('timestamptz', { nullable: true }) receivedAt: Date | null = null;
  /** Until upkeep takes the bytes away. */
  @Column('boolean', { default: true }) hasRaw: boolean;
  @Column('integer', { default: 0 }) tries: number;
  /** When a worker may take it. */
  @Column('timestamptz') dueAt: Date;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz', { nullable: true }) understoodAt: Date | null;

  ticketNumber: number | null;
}
