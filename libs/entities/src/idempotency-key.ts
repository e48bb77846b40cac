import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';

/** A request that must take effect once, and what was answered to it. */
@Entity('idempotency_keys')
@Index(['createdAt'])
export class IdempotencyKey {
  @ForeignKey(() => Account) @PrimaryColumn('uuid') accountId: string;
  /** Whose key it is: two applications may use the same word. */
  @PrimaryColumn('uuid') grantId: string;
  @PrimaryColumn('text') key: string;
  @Column('bytea') requestHash: Buffer;
  @Column('integer', { nullable: true }) status: number | null;
  @Column('text', { nullable: true }) location: string | null;
  @Column('text', { nullable: true }) body: string | null;
  @Column('timestamptz') createdAt: Date;
}
