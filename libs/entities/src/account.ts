import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A tenant. Everything else belongs to exactly one. */
@Entity('accounts')
export class Account {
  @PrimaryColumn('uuid') id: string;
  @Column('text') name: string;
  /** The number last given to a ticket; numbers are never reused. */
  @Column('integer', { default: 0 }) lastTicketNumber: number;
  @Column('timestamptz') createdAt: Date;
}
