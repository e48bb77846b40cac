import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('events')
export class Event {
  /** UUID version 7. The table is partitioned by its time. */
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') accountId: string;
  /** Microseconds of the database’s clock, sent as `webhook-sequence`. A counter would reveal the traffic of other accounts. */
  @Column('bigint') sequence: string;
  @Column('text') kind: string;
  /** The exact text that is signed and sent. */
  @Column('text') payload: string;
  /** The feed uses it to tell that no older event can still appear. */
  @Column('bigint') transactionId: string;
  @Column('boolean', { default: false }) test: boolean;
  @Column('text', { nullable: true }) requestId: string | null;
  @Column('json', { default: { type: 'system' } }) cause: EventCause;
  /** Values before and after, by field of the record. */
  @Column('json', { nullable: true }) changes: EventChanges | null;
  /** W3C Trace Context of the request, if it had one. */
  @Column('text', { nullable: true }) traceparent: string | null;
  @Column('timestamptz') createdAt: Date;
}

export const CAUSE_TYPES = ['agent', 'customer', 'application', 'token', 'rule', 'import', 'system'] as const;
export type CauseType = (typeof CAUSE_TYPES)[number];

export interface EventCause {
  readonly type: CauseType;
  /** Client id of the application, or id of the personal access token. */
  readonly clientId?: string | undefined;
  readonly agentId?: string | undefined;
}

export type EventChanges = Readonly<Record<string, readonly [before: unknown, after: unknown]>>;

/** The new values, by the names that pages show. */
export type ActivityDetail = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** The values before and after, which activities have because events are deleted sooner. */
export const changesIn = ({ changes }: ActivityDetail): EventChanges => (changes ?? {}) as unknown as EventChanges;

/** An entry of the audit log. Kept longer than events. */
@Entity('activities')
export class Activity {
  /** The id of the event if the change emitted one. */
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') accountId: string;
  @Column('uuid', { nullable: true }) ticketId: string | null;
  @Column('text') kind: string;
  @Column('uuid', { nullable: true }) agentId: string | null;
  /** Null for the console and personal access tokens. */
  @Column('uuid', { nullable: true }) applicationId: string | null;
  /** A ticket number, an email address or the like. */
  @Column('text') subject: string;
  @Column('jsonb', { default: {} }) detail: ActivityDetail;
  @Column('text', { nullable: true }) requestId: string | null;
  @Column('timestamptz') createdAt: Date;
}
