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
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;
}
