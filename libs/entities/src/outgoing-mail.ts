import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import type { ArrivalSource } from './arrival.js';
import { Mailbox } from './mailbox.js';
import { Message, type OutgoingMailState } from './message.js';

/**
 * `link`: an invitation or a new password. `test`: the check of a mailbox. `agent_notice`: what an agent wants to be notified about.
 * `access_notice`: an application got more access than reading.
 * The worker renders an email from its records when it sends it.
 */
export type OutgoingMailKind =
  | 'message'
  | 'link'
  | 'sign_in_notice'
  | 'webhook_notice'
  | 'access_notice'
  | 'test'
  | 'agent_notice';

/** An email that the trial mode caught instead of sending it. */
export interface CaughtMail {
  readonly from: string;
  readonly replyTo: string | null;
  readonly mailId: string | null;
  readonly to: string;
  readonly cc: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** Safe, without remote pictures. Not stored. */
  readonly html?: string | null;
  readonly files: readonly string[];
}

/** An outgoing email, queued in the transaction of its cause and sent by a worker. */
@Entity('outgoing_mails')
export class OutgoingMail {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @Column('text') kind: OutgoingMailKind;
  /** The mailbox or the account. Lanes take turns, so a long one does not block others. */
  @Column('uuid') lane: string;
  @Column('text') state: OutgoingMailState;
  /** The last response of the server, or why the state is unsure. */
  @Column('text', { nullable: true }) reason: string | null;
  @Column('text') recipient: string;
  @ForeignKey(() => Message, { onDelete: 'CASCADE' }) @Column('uuid', { nullable: true }) messageId: string | null;
  /** Set for a copy to an address in Cc, which has its own state and Return-Path. */
  @ForeignKey(() => Message, { onDelete: 'CASCADE' }) @Column('uuid', { nullable: true }) copyOf: string | null;
  /** `files` has the ids of a message's files. Never a secret: links are created when the mail is sent. */
  @Column('jsonb', { default: {} }) detail: Readonly<Record<string, string>>;
  /** Null for a message, whose content is rendered when it is shown. */
  @Column('jsonb', { nullable: true }) caught: CaughtMail | null;
  /** Identifies bounces. */
  @Column('text', { nullable: true }) returnToken: string | null;
  @Column('integer', { default: 0 }) tries: number;
  /** The claim of a worker. Only its holder may send the mail and record the outcome. */
  @Column('uuid', { nullable: true }) lease: string | null;
  /** Committed before the final line of DATA. From then on the mail may have arrived. */
  @Column('timestamptz', { nullable: true }) handedOverAt: Date | null;
  @Column('timestamptz', { nullable: true }) leasedUntil: Date | null;
  /** When a worker may claim it. */
  @Column('timestamptz') dueAt: Date;
  @Column('timestamptz') queuedAt: Date;
  @Column('timestamptz', { nullable: true }) endedAt: Date | null;
}

/** The latest check, by an email to itself. Its id is that of the mailbox. */
@Entity('mailbox_tests')
export class MailboxTest {
  @ForeignKey(() => Mailbox, { onDelete: 'CASCADE' }) @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  /** The check is deleted with this email. */
  @ForeignKey(() => OutgoingMail, { onDelete: 'CASCADE' }) @Column('uuid') mailId: string;
  @Column('timestamptz') startedAt: Date;
  @Column('timestamptz', { nullable: true }) arrivedAt: Date | null;
  @Column('text', { nullable: true }) source: ArrivalSource | null;
}
