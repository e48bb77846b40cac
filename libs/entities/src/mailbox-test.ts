import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import type { ArrivalSource } from './arrival.js';
import { Mailbox } from './mailbox.js';
import { OutgoingMail } from './outgoing-mail.js';

/** The latest test of a mailbox: a mail to itself that has to come back. Its id is that of the mailbox. */
@Entity('mailbox_tests')
@Index(['mailId'], { unique: true })
export class MailboxTest {
  @ForeignKey(() => Mailbox, { onDelete: 'CASCADE' }) @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  /** Of the mail in the outbox, which is removed after a while, and the test with it. */
  @ForeignKey(() => OutgoingMail, { onDelete: 'CASCADE' }) @Column('uuid') mailId: string;
  @Column('timestamptz') startedAt: Date;
  @Column('timestamptz', { nullable: true }) arrivedAt: Date | null;
  /** Over which way it came back. */
  @Column('text', { nullable: true }) source: ArrivalSource | null;
}
