import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Agent } from './agent.js';

export const REPLAY_CHOICES = ['failed', 'retrying', 'undelivered', 'all'] as const;
/**
 * `failed`: given up, by the schedule or because the webhook was disabled. `retrying`: failed, and scheduled again.
 * `undelivered`: both. `all`: given up or delivered.
 */
export type ReplayChoice = (typeof REPLAY_CHOICES)[number];

/** The response to the last attempt. `none` means no valid response. */
export const RESPONSE_CLASSES = ['none', '3xx', '4xx', '5xx'] as const;
export type ResponseClass = (typeof RESPONSE_CLASSES)[number];

export const REPLAY_STATES = ['counting', 'running', 'done', 'cancelled'] as const;
type ReplayState = (typeof REPLAY_STATES)[number];

/** Sends many deliveries of one webhook again. They are counted first, then queued in batches. */
@Entity('replays')
export class Replay {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  @Column('uuid') webhookId: string;
  @ForeignKey(() => Agent) @Column('uuid') agentId: string;
  @Column('text') choice: ReplayChoice;
  @Column('text', { nullable: true }) lastResponse: ResponseClass | null;
  /** Inclusive. */
  @Column('timestamptz') since: Date;
  /** Exclusive. */
  @Column('timestamptz') before: Date;
  @Column('text') state: ReplayState;
  @Column('integer', { default: 0 }) total: number;
  @Column('integer', { default: 0 }) redelivered: number;
  @Column('uuid', { nullable: true }) position: string | null;
  @Column('timestamptz') nextStepAt: Date;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz', { nullable: true }) finishedAt: Date | null;

  count(more: number, position: string | null): void {
    this.total += more;
    this.position = position ?? this.position;
  }

  /** Restarts at the first delivery, to send them. */
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

  /** Queued deliveries are still sent. Returns false if the replay has ended. */
  cancel(now: Date): boolean {
    if (this.finishedAt !== null) return false;
    this.state = 'cancelled';
    this.finishedAt = now;
    return true;
  }
}
