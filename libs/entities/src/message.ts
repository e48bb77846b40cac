import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Agent } from './agent.js';
import type { Attachment } from './attachment.js';
import { Customer } from './customer.js';
import type { OutgoingMailState } from './outgoing-mail-state.js';
import type { SenderVerdicts } from './sender-verdicts.js';
import { Ticket } from './ticket.js';

/** A file as its message shows it. */
export type AttachedFile = Readonly<Omit<Attachment, 'servedType'>>;

/** The mail to an address in Cc, and why it has not arrived. */
export interface MailedCopy {
  readonly recipient: string;
  readonly state: OutgoingMailState;
  readonly reason: string | null;
}

/** How a page shows a body. `text_of_html` is for markup that was too much to be made safe. */
export type BodyForm = 'text' | 'html' | 'text_of_html';

export const MESSAGE_CHANNELS = ['email'] as const;
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number];

/** One message of a ticket: from a customer, from an agent, or an agent's internal note. */
@Entity('messages')
@Index(['ticketId', 'id'])
@Index(['authorCustomerId', 'id'])
@Index(['accountId', 'updatedAt', 'id'])
export class Message {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @ForeignKey(() => Ticket, { onDelete: 'CASCADE' }) @Column('uuid') ticketId: string;
  @ForeignKey(() => Agent) @Column('uuid', { nullable: true }) authorAgentId: string | null;
  @ForeignKey(() => Customer) @Column('uuid', { nullable: true }) authorCustomerId: string | null;
  @Column('boolean') note: boolean;
  /** Byte for byte as it was sent; HTML in it is not safe. */
  @Column('text') body: string;
  @Column('text') plainTextBody: string;
  /** Null in a message from before this was kept, until it is first shown. */
  @Column('text', { nullable: true }) shownAs: BodyForm | null;
  /** Only of one that is shown as HTML. It is read by itself, because a page alone needs it. */
  @Column('text', { nullable: true }) safeHtml: string | null;
  /** The addresses in To. Empty in a note, and in a message from before recipients were kept. */
  @Column('text', { array: true, default: [] }) toAddresses: readonly string[];
  @Column('text', { array: true, default: [] }) ccAddresses: readonly string[];
  /** How it came, where that was neither the console nor the API. */
  @Column('text', { nullable: true }) channel: MessageChannel | null;
  @Column('timestamptz', { nullable: true }) sentAt: Date | null;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;

  author: Agent | Customer;
  /** Whom it is for: the customer, or the agent the ticket is assigned to. A note is for nobody. */
  recipient: Agent | Customer | null;
  ticketNumber: number;
  /** What became of the mail with it, and why. Null where none is sent. */
  delivery: OutgoingMailState | null;
  deliveryReason: string | null;
  /** The states of the mails to the addresses in Cc. */
  copies: readonly MailedCopy[];
  /** Of the mail that brought it. */
  verdicts: SenderVerdicts | null;
  attachments: readonly AttachedFile[];

  /** A message that was written elsewhere before keeps its own time. */
  writtenAt(): Date {
    return this.sentAt ?? this.createdAt;
  }
}
