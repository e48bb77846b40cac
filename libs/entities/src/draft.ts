import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Agent } from './agent.js';
import { HeldReply } from './held-reply.js';
import { Ticket } from './ticket.js';

/** What an agent has written below a ticket and not sent: one for each agent and ticket. Nobody else sees it. */
@Entity('drafts')
@Index(['agentId', 'ticketId'], { unique: true })
@Index(['ticketId'])
export class Draft {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @ForeignKey(() => Agent, { onDelete: 'CASCADE' }) @Column('uuid') agentId: string;
  @ForeignKey(() => Ticket, { onDelete: 'CASCADE' }) @Column('uuid') ticketId: string;
  @Column('boolean') note: boolean;
  @Column('text') body: string;
  @Column('text', { array: true, default: [] }) ccAddresses: readonly string[];
  /** Addresses that would get a copy and were removed. People who join the ticket later get one. */
  @Column('text', { array: true, default: [] }) removedCc: readonly string[];
  /** Where its page goes after it was sent. */
  @Column('text') afterSending: string;
  /** Counts how often it was saved, so that a page can say which state it goes on from. */
  @Column('integer') revision: number;
  /** The page that saved it last, which may save it again without having heard of the revision that it made. */
  @Column('text') writer: string;
  @Column('timestamptz') updatedAt: Date;

  files: readonly DraftFile[];
}

/** A file of a draft, or of the reply that it became and that waits. When its row goes, however, a trigger tells upkeep of the file, as for an attachment. */
@Entity('draft_files')
@Index(['draftId'])
@Index(['heldReplyId'])
export class DraftFile {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @ForeignKey(() => Draft, { onDelete: 'CASCADE' }) @Column('uuid', { nullable: true }) draftId: string | null;
  @ForeignKey(() => HeldReply, { onDelete: 'CASCADE' }) @Column('uuid', { nullable: true }) heldReplyId: string | null;
  @Column('text') name: string;
  @Column('text') contentType: string;
  @Column('integer') size: number;
}
