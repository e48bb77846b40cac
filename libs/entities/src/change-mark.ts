import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Agent, Group } from './agent.js';
import { Attachment } from './attachment.js';
import { Customer } from './customer.js';
import { Mailbox } from './mailbox.js';
import { Message } from './message.js';
import { Ticket } from './ticket.js';

/** The records in the feed of changes, each after the records that it refers to. */
const COPIED_RECORDS = {
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
 * The transaction that last changed what the API shows of a row. The default and triggers write it. Only the feed of changes
 * reads it, so it is no property of the record.
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

/** A change that no row shows: a record was deleted, or other records look different because of one. Written by triggers. */
@Entity('change_marks')
@Index(['accountId', 'changedIn', 'kind', 'recordId'])
export class ChangeMark {
  @PrimaryColumn('uuid') accountId: string;
  /** The kind of the deleted record, or which other records look different. */
  @PrimaryColumn('text') kind: string;
  @PrimaryColumn('uuid') recordId: string;
  /** The public id of a deleted record. */
  @Column('text', { nullable: true }) publicId: string | null;
  @Column('bigint') changedIn: string;
}
