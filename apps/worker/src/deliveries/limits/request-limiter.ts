import { FairLanes } from '#libs/pacing';
import { AnswerTimes, MIN_PATIENCE_MS } from './answer-times.js';
import { type ConcurrencyBounds, ConcurrencyLimit } from './concurrency-limit.js';
import { PROMPT_WITHIN_MS } from './delivery-slot-limiter.js';
import { FailureAllowance } from './failure-allowance.js';
import { LanePauses } from './lane-pauses.js';

/** If longer, a receiver that became faster stays idle. */
const MAX_PAUSE_MS = 600_000;

/** If longer, a receiver that recovers stays idle. If shorter, its backlog circles through the queue. */
export const RECEIVER_SLOW_FOR_MS = 30_000;

/** A slow receiver is unused until its probe. If longer, the state of unused receivers fills memory. */
const FORGOTTEN_AFTER_MS = 2 * RECEIVER_SLOW_FOR_MS;

/** A request fails by an error before its deadline or by a bad status. An abandoned one says nothing about the receiver. */
export type RequestEnd = 'accepted' | 'failed' | 'timed_out' | 'abandoned';

export interface LimiterBounds extends ConcurrencyBounds {
  /** Unset, a failed request counts as any other response. */
  readonly failuresPerSecond?: () => number;
}

interface Turn {
  /** Whether the receiver accepted its last request. */
  readonly isAccepting: boolean;
  /** Receives null when the request may start, or the milliseconds after which to ask again. */
  readonly start: (pauseMs: number | null) => void;
}

/**
 * Limits the requests to one receiver or host. A request that a host fails keeps its place until its allowance forgives
 * it, except for receivers that accepted their last request: they must not suffer from others at their host.
 */
export class RequestLimiter {
  readonly limit: ConcurrencyLimit;
  readonly answers = new AnswerTimes();
  private readonly failures: FailureAllowance;
  private readonly pauses = new LanePauses();
  private readonly waiting = new FairLanes<Turn>();
  private lastAnswer: 'accepted' | 'failed' | undefined;
  private usedAt = 0;

  constructor(private readonly bounds: LimiterBounds) {
    this.limit = new ConcurrencyLimit(bounds);
    this.failures = new FailureAllowance(bounds.failuresPerSecond ?? (() => 0));
  }

  get waitingCount(): number {
    return this.waiting.size;
  }

  get isAccepting(): boolean {
    return this.lastAnswer === 'accepted';
  }

  /** Waits if the turn comes within half a second. Lanes take turns. */
  enter(lane: string, now: number, isAccepting = false): Promise<number | null> {
    this.usedAt = now;
    return new Promise((start) => {
      const soon = (this.perSecond(now, isAccepting) * PROMPT_WITHIN_MS) / 1_000;
      if (this.hasRoom(now, isAccepting) || (!this.answers.isSilent(now) && this.waiting.hasRoom(lane, soon)))
        this.waiting.push(lane, { isAccepting, start });
      else start(this.pauseMs(lane, now, isAccepting));
      this.admitWaiting(now);
    });
  }

  end(end: RequestEnd, startedAt: number, now: number): void {
    if (end === 'accepted' || end === 'failed') this.noteAnswer(end, startedAt, now);
    this.answers.end();
    this.leave(now);
  }

  leave(now: number): void {
    this.limit.taken -= 1;
    this.admitWaiting(now);
  }

  /** Returns whether deliveries waited for a silent receiver. */
  check(now: number): boolean {
    this.pauses.forgetPast(now);
    const isInVain = this.waiting.size > 0 && this.answers.isSilent(now);
    if (isInVain) this.refuseWaiting(MIN_PATIENCE_MS);
    else this.admitWaiting(now);
    return isInVain;
  }

  refuseWaiting(pauseMs: number): void {
    for (const { start } of this.waiting.clear()) start(pauseMs);
  }

  isForgettable(now: number): boolean {
    return this.limit.taken === 0 && this.waiting.size === 0 && now - this.usedAt > FORGOTTEN_AFTER_MS;
  }

  private noteAnswer(end: 'accepted' | 'failed', startedAt: number, now: number): void {
    this.lastAnswer = end;
    this.answers.answer(startedAt, now);
    if (this.isFailing) this.failures.count(now);
    else this.limit.raise();
  }

  private admitWaiting(now: number): void {
    for (let turn = this.nextTurn(now); turn; turn = this.nextTurn(now)) {
      this.limit.taken += 1;
      turn.start(null);
    }
  }

  private nextTurn(now: number): Turn | undefined {
    return this.waiting.shift(({ isAccepting }) => this.hasRoom(now, isAccepting));
  }

  private hasRoom(now: number, isAccepting: boolean): boolean {
    return this.limit.taken + this.failuresFor(isAccepting, now) < this.limit.places;
  }

  /** Receivers that do not accept fill all places at most. More failures are of receivers that accepted until now. */
  private failuresFor(isAccepting: boolean, now: number): number {
    const failures = this.failures.unforgiven(now);
    return isAccepting ? Math.max(0, failures - this.limit.places) : failures;
  }

  private get isFailing(): boolean {
    return this.lastAnswer === 'failed' && this.bounds.failuresPerSecond !== undefined;
  }

  private perSecond(now: number, isAccepting: boolean): number {
    if (this.failuresFor(isAccepting, now) > this.limit.taken) return this.failures.perSecond();
    return (this.limit.placesNext * 1_000) / this.answers.roundTripMs(now);
  }

  private pauseMs(lane: string, now: number, isAccepting: boolean): number {
    const perSecond = this.perSecond(now, isAccepting) / Math.max(1, this.waiting.laneCount);
    const maxMs = this.maxPauseMs(now, isAccepting);
    return this.pauses.next(`${lane} ${isAccepting}`, now, { perSecond, maxMs });
  }

  /** A rising limit says nothing about the rate to come. */
  private maxPauseMs(now: number, isAccepting: boolean): number {
    if (this.answers.isSilent(now)) return RECEIVER_SLOW_FOR_MS;
    return this.limit.isAtMax || (this.isFailing && !isAccepting) ? MAX_PAUSE_MS : this.answers.patienceMs;
  }
}
