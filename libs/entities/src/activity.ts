import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Application } from './oauth.js';
import { Account } from './account.js';
import { Agent } from './agent.js';

/** The value that was changed, as it is afterwards, under the word people use for it. */
export type ActivityDetail = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** Who did what, when and through what. For people to read; it outlives the events, which are for receivers. */
@Entity('activities')
@Index(['ticketId', 'id'])
@Index(['accountId', 'id'])
@Index('activities_of_no_ticket_idx', ['id'], { where: '(ticket_id IS NULL)' })
export class Activity {
  /** The event's own id where the change emitted one. */
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  /** Not a reference, which would cost each change a look; it goes when the ticket is purged. */
  @Column('uuid', { nullable: true }) ticketId: string | null;
  @Column('text') kind: string;
  @ForeignKey(() => Agent) @Column('uuid', { nullable: true }) agentId: string | null;
  /** Null in the console and for personal access tokens. */
  @ForeignKey(() => Application) @Column('uuid', { nullable: true }) applicationId: string | null;
  /** What it was done to, by the name people know it by: a ticket's number, an e-mail address. */
  @Column('text') subject: string;
  @Column('jsonb', { default: {} }) detail: ActivityDetail;
  @Column('text', { nullable: true }) requestId: string | null;
  @Column('timestamptz') createdAt: Date;
}
