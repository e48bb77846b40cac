import { FairLanes } from '#libs/pacing';
import { PROMPT_WITHIN_MS } from './delivery-slot-limiter.js';

/** Requests before the first answer. More would be lost to a receiver that never answers. */
export const INITIAL_LIMIT = 8;

/** Shorter, slow receivers count as silent, and postponed deliveries circle through the queue. */
export const MIN_PATIENCE_MS = 2 * PROMPT_WITHIN_MS;

/** Longer, a receiver that became faster stays idle. */
const MAX_PAUSE_MS = 600_000;

/** Longer, a receiver that recovers stays idle. Shorter, its backlog circles through the queue. */
export const RECEIVER_SLOW_FOR_MS = 30_000;

/** A slow receiver is unused until its probe. Longer, what was learned about unused receivers fills memory. */
const FORGOTTEN_AFTER_MS = 2 * RECEIVER_SLOW_FOR_MS;

/** A request fails by an error before its deadline or by a bad status. An abandoned one says nothing about the receiver. */
export type RequestEnd = 'accepted' | 'failed' | 'timed_out' | 'abandoned';

export interface LimiterBounds {
  readonly initial: number;
  readonly max: number;
  /** Unset, a failed request counts as any other answer. */
  readonly failuresPerSecond?: number;
}

interface Turn {
  /** Whether the receiver accepted its last request. */
  readonly isAccepting: boolean;
  /** Receives null when the request may start, or the milliseconds after which to ask again. */
  readonly start: (pauseMs: number | null) => void;
}

/**
 * Limits the requests to one receiver or host. An answer raises the limit by one while more than half of it is in use,
 * which doubles it per round trip. A request that a host fails keeps its place until its allowance forgives it, except
 * for receivers that accepted their last request: they must not suffer from others at their host.
 */
export class RequestLimiter {
  private limit: number;
  private lastAnswer: 'accepted' | 'failed' | undefined;
  private taken = 0;
  private open = 0;
  private answerMs = 0;
  /** The last answer, or the first open request if that is later. */
  private quietSince = 0;
  private usedAt = 0;
  private failures = 0;
  private forgivenAt = 0;
  private readonly waiting = new FairLanes<Turn>();
  private readonly pausedUntil = new Map<string, number>();

  constructor(private readonly bounds: LimiterBounds) {
    this.limit = bounds.initial;
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
      if (this.hasRoom(now, isAccepting) || (!this.isSilent(now) && this.waiting.hasRoom(lane, soon)))
        this.waiting.push(lane, { isAccepting, start });
      else start(this.pauseMs(lane, now, isAccepting));
      this.admitWaiting(now);
    });
  }

  start(now: number): void {
    if (this.open === 0) this.quietSince = now;
    this.open += 1;
  }

  end(end: RequestEnd, startedAt: number, now: number): void {
    if (end === 'accepted' || end === 'failed') this.noteAnswer(end, startedAt, now);
    this.open -= 1;
    this.leave(now);
  }

  leave(now: number): void {
    this.taken -= 1;
    this.admitWaiting(now);
  }

  lowerTo(limit: number): void {
    this.limit = limit;
  }

  /** For a request that is open. */
  hasAnsweredSince(startedAt: number): boolean {
    return this.quietSince > startedAt;
  }

  /** Returns whether deliveries waited for a silent receiver. */
  check(now: number): boolean {
    for (const [lane, until] of this.pausedUntil) if (until < now) this.pausedUntil.delete(lane);
    const isInVain = this.waiting.size > 0 && this.isSilent(now);
    if (isInVain) this.refuseWaiting(MIN_PATIENCE_MS);
    else this.admitWaiting(now);
    return isInVain;
  }

  refuseWaiting(pauseMs: number): void {
    for (const { start } of this.waiting.clear()) start(pauseMs);
  }

  isSilent(now: number): boolean {
    return this.silentMs(now) > this.patienceMs;
  }

  isForgettable(now: number): boolean {
    return this.taken === 0 && this.waiting.size === 0 && now - this.usedAt > FORGOTTEN_AFTER_MS;
  }

  private noteAnswer(end: 'accepted' | 'failed', startedAt: number, now: number): void {
    [this.lastAnswer, this.answerMs, this.quietSince] = [end, now - startedAt, now];
    if (this.isFailing) this.failures = this.unforgiven(now) + 1;
    else if (this.taken * 2 > this.limit && !this.isAtMax) this.limit += 1;
  }

  private admitWaiting(now: number): void {
    for (let turn = this.nextTurn(now); turn; turn = this.nextTurn(now)) {
      this.taken += 1;
      turn.start(null);
    }
  }

  private nextTurn(now: number): Turn | undefined {
    return this.waiting.shift(({ isAccepting }) => this.hasRoom(now, isAccepting));
  }

  private get isFailing(): boolean {
    return this.lastAnswer === 'failed' && this.bounds.failuresPerSecond !== undefined;
  }

  private get isAtMax(): boolean {
    return this.limit >= this.bounds.max;
  }

  private hasRoom(now: number, isAccepting: boolean): boolean {
    return this.taken + this.failuresFor(isAccepting, now) < this.places;
  }

  private get places(): number {
    return Math.min(this.limit, this.bounds.max);
  }

  /** Receivers that do not accept fill all places at most. More failures are of receivers that accepted until now. */
  private failuresFor(isAccepting: boolean, now: number): number {
    return isAccepting ? Math.max(0, this.unforgiven(now) - this.places) : this.unforgiven(now);
  }

  private unforgiven(now: number): number {
    const forgiven = ((now - this.forgivenAt) / 1_000) * (this.bounds.failuresPerSecond ?? 0);
    this.failures = Math.max(0, this.failures - forgiven);
    this.forgivenAt = now;
    return this.failures;
  }

  /** A rising limit doubles within a round trip. */
  private perSecond(now: number, isAccepting: boolean): number {
    const { failuresPerSecond } = this.bounds;
    if (failuresPerSecond !== undefined && this.failuresFor(isAccepting, now) > this.taken) return failuresPerSecond;
    const roundTripMs = Math.max(this.answerMs, this.silentMs(now), 1);
    return (Math.min(2 * this.limit, this.bounds.max) * 1_000) / roundTripMs;
  }

  /** Spreads the deliveries that return, so that each finds room. A rising limit says nothing about the rate to come. */
  private pauseMs(lane: string, now: number, isAccepting: boolean): number {
    const latest = now + this.maxPauseMs(now, isAccepting);
    const pausedLane = `${lane} ${isAccepting}`;
    const until = Math.min(latest, Math.max(this.pausedUntil.get(pausedLane) ?? 0, now + MIN_PATIENCE_MS));
    const lanes = Math.max(1, this.waiting.laneCount);
    this.pausedUntil.set(pausedLane, Math.min(latest, until + (1_000 * lanes) / this.perSecond(now, isAccepting)));
    return until - now;
  }

  private maxPauseMs(now: number, isAccepting: boolean): number {
    if (this.isSilent(now)) return RECEIVER_SLOW_FOR_MS;
    return this.isAtMax || (this.isFailing && !isAccepting) ? MAX_PAUSE_MS : this.patienceMs;
  }

  private silentMs(now: number): number {
    return this.open === 0 ? 0 : now - this.quietSince;
  }

  private get patienceMs(): number {
    return Math.max(MIN_PATIENCE_MS, 2 * this.answerMs);
  }
}
