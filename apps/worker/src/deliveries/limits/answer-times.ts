import { PROMPT_WITHIN_MS } from './delivery-slot-limiter.js';

/** If it were shorter, slow receivers would count as silent, and postponed deliveries would circle through the queue. */
export const MIN_PATIENCE_MS = 2 * PROMPT_WITHIN_MS;

/** A receiver is silent when its open requests wait for longer than its patience: twice its last response time. */
export class AnswerTimes {
  private open = 0;
  private answerMs = 0;
  /** The last response, or the first open request if that is later. */
  private quietSince = 0;

  start(now: number): void {
    if (this.open === 0) this.quietSince = now;
    this.open += 1;
  }

  answer(startedAt: number, now: number): void {
    this.answerMs = now - startedAt;
    this.quietSince = now;
  }

  end(): void {
    this.open -= 1;
  }

  get patienceMs(): number {
    return Math.max(MIN_PATIENCE_MS, 2 * this.answerMs);
  }

  isSilent(now: number): boolean {
    return this.silentMs(now) > this.patienceMs;
  }

  /** For a request that is open. */
  hasAnsweredSince(startedAt: number): boolean {
    return this.quietSince > startedAt;
  }

  roundTripMs(now: number): number {
    return Math.max(this.answerMs, this.silentMs(now), 1);
  }

  private silentMs(now: number): number {
    return this.open === 0 ? 0 : now - this.quietSince;
  }
}
