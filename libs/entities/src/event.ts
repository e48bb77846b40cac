import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Something that happened, with the record as it was at that moment. */
@Entity('events')
@Index(['accountId', 'transactionId', 'sequence'])
export class Event {
  /** Version 7, so it tells the time: the table is partitioned by it. */
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') accountId: string;
  /** Microseconds of the database's clock, so it tells nothing of other accounts; receivers get it as `webhook-sequence`. */
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

/**
 * An event that still has to become deliveries, and whose: the webhooks that wanted it when it happened. Keyed by the
 * account first, so that the relay can take a few from each account however many one of them has. No foreign key: it
 * would lock the account's row once for each event, and an account is never removed under its own transaction.
 */
@Entity('outbox')
export class OutboxEntry {
  @PrimaryColumn('uuid') accountId: string;
  @PrimaryColumn('uuid') eventId: string;
  @Column('uuid', { array: true }) webhookIds: string[];
}
