import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Agent } from './agent.js';
import { Attachment } from './attachment.js';
import { Customer } from './customer.js';
import { Group } from './group.js';
import { Mailbox } from './mailbox.js';
import { Message } from './message.js';
import { Ticket } from './ticket.js';

/** Every record that can be copied, those that others point at first. */
export const COPIED_RECORDS = {
  agent: Agent,
  group: Group,
  mailbox: Mailbox,
  customer: Customer,
  ticket: Ticket,
  message: Message,
  attachment: Attachment,
} as const;

export type CopiedKind = keyof typeof COPIED_RECORDS;
export const COPIED_KINDS = Object.keys(COPIED_RECORDS) as CopiedKind[];

/**
 * The transaction that last changed what the API shows of a row. The default and triggers write it, and only the feed of
 * changes reads it, so it is a column of the table and no property of the record.
 */
const CHANGED_IN = {
  type: 'bigint',
  default: () => 'this_transaction()',
  select: false,
  insert: false,
  update: false,
} as const;
for (const record of Object.values(COPIED_RECORDS)) {
  Column(CHANGED_IN)(record.prototype, 'changedIn');
  Index(['accountId', 'changedIn', 'id'])(record);
}

/** What the rows themselves cannot tell: that one is gone, or that others look different because of it. Triggers write it. */
@Entity('change_marks')
@Index(['accountId', 'changedIn', 'kind', 'recordId'])
export class ChangeMark {
  @PrimaryColumn('uuid') accountId: string;
  /** A kind of record, for one that is gone; else which others look different. */
  @PrimaryColumn('text') kind: string;
  @PrimaryColumn('uuid') recordId: string;
  /** What the API called a record that is gone. */
  @Column('text', { nullable: true }) publicId: string | null;
  @Column('bigint') changedIn: string;
}
