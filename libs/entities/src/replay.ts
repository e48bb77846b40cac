import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Agent } from './agent.js';

export const REPLAY_CHOICES = ['failed', 'retrying', 'undelivered', 'all'] as const;
/**
 * `failed`: what was given up, by its schedule or because the webhook was disabled. `retrying`: what failed and would go
 * again later. `undelivered`: both. `all`: what was given up, and what was delivered as well.
 */
export type ReplayChoice = (typeof REPLAY_CHOICES)[number];

/** What the last attempt was answered with: nothing that counts, or a status of that class. */
export const ANSWER_CLASSES = ['none', '3xx', '4xx', '5xx'] as const;
export type AnswerClass = (typeof ANSWER_CLASSES)[number];

export const REPLAY_STATES = ['counting', 'running', 'done', 'cancelled'] as const;
export type ReplayState = (typeof REPLAY_STATES)[number];

/** Many deliveries of one webhook go out again, a few at a time: first they are counted, then owed anew. */
@Entity('replays')
@Index(['webhookId', 'id'])
@Index('replays_one_at_a_time_idx', ['webhookId'], { unique: true, where: '(finished_at IS NULL)' })
@Index('replays_next_idx', ['nextStepAt'], { where: '(finished_at IS NULL)' })
export class Replay {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @Column('uuid') webhookId: string;
  @ForeignKey(() => Agent) @Column('uuid') agentId: string;
  @Column('text') choice: ReplayChoice;
  /** Only those whose last attempt was answered so. */
  @Column('text', { nullable: true }) answer: AnswerClass | null;
  /** Deliveries that were made from then on … */
  @Column('timestamptz') since: Date;
  /** … and before then. */
  @Column('timestamptz') before: Date;
  @Column('text') state: ReplayState;
  /** So far while it is being counted, and from then on how many there are. */
  @Column('integer', { default: 0 }) total: number;
  /** How many of them are owed anew. */
  @Column('integer', { default: 0 }) redelivered: number;
  /** The last delivery that was looked at in this state; null at its beginning. */
  @Column('uuid', { nullable: true }) position: string | null;
  @Column('timestamptz') nextStepAt: Date;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz', { nullable: true }) finishedAt: Date | null;

  count(more: number, position: string | null): void {
    this.total += more;
    this.position = position ?? this.position;
  }

  /** All are counted: from the front again, this time to send them. */
  begin(now: Date): void {
    this.state = 'running';
    this.position = null;
    if (this.total === 0) this.finish(now);
  }

  advance(owed: number, position: string | null): void {
    this.redelivered += owed;
    this.position = position ?? this.position;
  }

  finish(now: Date): void {
    this.state = 'done';
    this.finishedAt = now;
  }

  /** What has been owed anew by then still goes out. False where it had ended already. */
  cancel(now: Date): boolean {
    if (this.finishedAt !== null) return false;
    this.state = 'cancelled';
    this.finishedAt = now;
    return true;
  }
}
