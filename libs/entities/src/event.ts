import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';

/** Something that happened, with the record as it was at that moment. */
@Entity('events')
@Index(['accountId', 'sequence'])
export class Event {
  /** Version 7, so it tells the time: the table is partitioned by it. */
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') accountId: string;
  /** Grows within every account; receivers get it as `webhook-sequence`. */
  @Column('bigint') sequence: string;
  @Column('text') kind: string;
  /** The exact text that is signed and sent; never parsed and written again. */
  @Column('text') payload: string;
  /** The writing transaction, by which the feed knows that nothing older can still appear. */
  @Column('bigint') transactionId: string;
  @Column('boolean', { default: false }) test: boolean;
  @Column('text', { nullable: true }) requestId: string | null;
  @Column('timestamptz') createdAt: Date;
}

/** An event that still has to become deliveries, and whose: the webhooks that wanted it when it happened. */
@Entity('outbox')
export class OutboxEntry {
  @PrimaryColumn('uuid') eventId: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @Column('uuid', { array: true }) webhookIds: string[];
}
