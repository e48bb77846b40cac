import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Agent } from './agent.js';

/** An agent who has a ticket open in the console. Not worth keeping through a crash: the browsers say it again. */
@Entity('presences')
export class Presence {
  @ForeignKey(() => Account) @PrimaryColumn('uuid') accountId: string;
  @PrimaryColumn('integer') ticketNumber: number;
  @ForeignKey(() => Agent) @PrimaryColumn('uuid') agentId: string;
  @Column('timestamptz') viewingUntil: Date;
  @Column('timestamptz', { nullable: true }) replyingUntil: Date | null;
}
