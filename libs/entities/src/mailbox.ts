import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';

@Entity('mailboxes')
@Index(['accountId', 'email'], { unique: true })
@Index(['accountId', 'name'], { unique: true })
@Index(['email'])
export class Mailbox {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @Column('text') name: string;
  @Column('text') email: string;
  /** Since when it has this address. Of several with one address, the first gets the mail. */
  @Column('timestamptz', { default: () => 'now()' }) emailSince: Date;
  /** What agents answer here goes to the customer by mail. */
  @Column('boolean', { default: false }) repliesByMail: boolean;
  /** By which the server that receives for it names itself in Authentication-Results. Null: nothing that they say counts. */
  @Column('text', { nullable: true }) authservId: string | null = null;
  /** Below what goes out from it by mail. */
  @Column('text', { default: '' }) signature: string;
  /** Its mails go out through a server of its own. */
  @Column('boolean', { default: false }) hasSmtp: boolean;
  /** The last day, counted from 1970, on which mail of unknown senders came, and how much came on it. */
  @Column('integer', { nullable: true }) unknownSendersDay: number | null = null;
  @Column('integer', { default: 0 }) unknownSendersKib = 0;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;
}
