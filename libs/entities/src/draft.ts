import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Agent } from './agent.js';
import type { EventCause } from './event.js';
import { SavedReply } from './saved-reply.js';
import { Ticket } from './ticket.js';

/** An unsent reply or note, one per agent and ticket. Only its author sees it. */
@Entity('drafts')
export class Draft {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @ForeignKey(() => Agent, { onDelete: 'CASCADE' }) @Column('uuid') agentId: string;
  @ForeignKey(() => Ticket, { onDelete: 'CASCADE' }) @Column('uuid') ticketId: string;
  @Column('boolean') note: boolean;
  @Column('text') body: string;
  @Column('text', { array: true, default: [] }) ccAddresses: readonly string[];
  /** Addresses that the author removed from Cc. */
  @Column('text', { array: true, default: [] }) removedCc: readonly string[];
  @Column('text') afterSending: string;
  @ForeignKey(() => SavedReply, { onDelete: 'SET NULL' }) @Column('uuid', { nullable: true }) savedReplyId:
    | string
    | null;
  /** Number of saves, which detects a save from an outdated page. */
  @Column('integer') revision: number;
  /** The page that saved last, which may not know the latest revision. */
  @Column('text') writer: string;
  @Column('timestamptz') updatedAt: Date;

  files: readonly DraftFile[];
}

/** A file of a draft or of a scheduled reply. When the row is deleted, a trigger adds a `StrayFile`. */
@Entity('draft_files')
export class DraftFile {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @ForeignKey(() => Draft, { onDelete: 'CASCADE' }) @Column('uuid', { nullable: true }) draftId: string | null;
  @ForeignKey(() => HeldReply, { onDelete: 'CASCADE' }) @Column('uuid', { nullable: true }) heldReplyId: string | null;
  @Column('text') name: string;
  @Column('text') contentType: string;
  @Column('integer') size: number;
}

/** Choices for `Account.undoSendSeconds`. */
export const UNDO_SECONDS = [0, 5, 10, 30] as const;

/** Changes that a message brings to its ticket, in the same transaction. */
export interface ThenChange {
  readonly state?: 'closed' | 'pending' | undefined;
  readonly addTags?: readonly string[] | undefined;
  /** Email or id. */
  readonly assignee?: string | undefined;
  /** Assigns it to the author if it has no assignee. */
  readonly takes?: boolean | undefined;
}

/** A reply or a new ticket that waits: it is sent at `dueAt`, and its author can undo it until then. */
@Entity('held_replies')
export class HeldReply {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @ForeignKey(() => Agent, { onDelete: 'CASCADE' }) @Column('uuid') agentId: string;
  @Column('uuid', { nullable: true }) applicationId: string | null;
  @Column('json', { nullable: true }) origin: Omit<EventCause, 'agentId'> | null;
  @ForeignKey(() => Ticket, { onDelete: 'CASCADE' }) @Column('uuid', { nullable: true }) ticketId: string | null;
  /** The input of a new ticket, which has no `ticketId` yet. */
  @Column('jsonb', { nullable: true }) newTicket: object | null;
  @Column('text') body: string;
  @Column('text', { array: true, default: [] }) ccAddresses: readonly string[];
  @Column('jsonb', { nullable: true }) thenChange: ThenChange | null;
  @ForeignKey(() => SavedReply, { onDelete: 'SET NULL' }) @Column('uuid', { nullable: true }) savedReplyId:
    | string
    | null;
  @Column('text') afterSending: string;
  /** Null for a new ticket that was undone, until it is sent again or discarded. */
  @Column('timestamptz', { nullable: true }) dueAt: Date | null;
  /** When the author chose the time of sending. Null if it only waits for an undo. */
  @Column('timestamptz', { nullable: true }) scheduledAt: Date | null;
}
