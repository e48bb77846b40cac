import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Message } from './message.js';
import type { OutgoingMailState } from './outgoing-mail-state.js';

/**
 * What a mail is about. `link` invites an agent, or leads to a new password. `test` goes to a mailbox of ours and has to come
 * back, and `agent_notice` brings a customer’s answer to the agent of its ticket. Whoever sends it writes it from the records that it is about, as they are then.
 */
export const OUTGOING_MAIL_KINDS = [
  'message',
  'link',
  'sign_in_notice',
  'webhook_notice',
  'access_notice',
  'test',
  'agent_notice',
] as const;
export type OutgoingMailKind = (typeof OUTGOING_MAIL_KINDS)[number];

/** A mail that a trial kept, as it would have gone out. */
export interface CaughtMail {
  readonly from: string;
  readonly replyTo: string | null;
  readonly mailId: string | null;
  /** Absent in mails from before these fields existed. */
  readonly to?: string;
  readonly cc?: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly files: readonly string[];
}

/** A mail of the product to somebody outside. It is written in the transaction of its cause, and a worker sends it. */
@Entity('outgoing_mails')
@Index('outgoing_mails_lane_idx', ['lane', 'dueAt'], {
  where: "((state = 'queued'::text) AND (handed_over_at IS NULL))",
})
@Index('outgoing_mails_handed_over_idx', ['dueAt'], {
  where: "((state = 'queued'::text) AND (handed_over_at IS NOT NULL))",
})
@Index('outgoing_mails_ended_idx', ['endedAt'], {
  where: '((message_id IS NULL) AND (copy_of IS NULL) AND (ended_at IS NOT NULL))',
})
@Index(['messageId'], { unique: true })
@Index('outgoing_mails_copy_of_idx', ['copyOf'], { where: '(copy_of IS NOT NULL)' })
@Index(['accountId', 'queuedAt'])
@Index('outgoing_mails_return_token_idx', ['returnToken'], { unique: true, where: '(return_token IS NOT NULL)' })
export class OutgoingMail {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @Column('text') kind: OutgoingMailKind;
  /** The mailbox whose message it brings, or the account. Lanes take turns, so that none waits behind all of another. */
  @Column('uuid') lane: string;
  @Column('text') state: OutgoingMailState;
  /** In words: what the server said last, or why nobody knows. */
  @Column('text', { nullable: true }) reason: string | null;
  @Column('text') recipient: string;
  @ForeignKey(() => Message, { onDelete: 'CASCADE' }) @Column('uuid', { nullable: true }) messageId: string | null;
  /** The message of which this mail is a copy for a person in Cc. Each copy has a state and a Return-Path of its own. */
  @ForeignKey(() => Message, { onDelete: 'CASCADE' }) @Column('uuid', { nullable: true }) copyOf: string | null;
  /** What a mail says that is about no record, or about one that changes. Never a secret: links are made when they are sent. */
  @Column('jsonb', { default: {} }) detail: Readonly<Record<string, string>>;
  @Column('jsonb', { nullable: true }) caught: CaughtMail | null;
  /** By which a mail that comes back is known. Nobody can guess it. */
  @Column('text', { nullable: true }) returnToken: string | null;
  @Column('integer', { default: 0 }) tries: number;
  /** Whose claim it is: only who holds it may hand the mail over and say what came of it. */
  @Column('uuid', { nullable: true }) lease: string | null;
  /** Committed before the server is told that the mail is complete. From then on it may have arrived. */
  @Column('timestamptz', { nullable: true }) handedOverAt: Date | null;
  /** When a worker may take it, or when the worker that has it is believed to be dead. */
  @Column('timestamptz') dueAt: Date;
  @Column('timestamptz') queuedAt: Date;
  @Column('timestamptz', { nullable: true }) endedAt: Date | null;
}
