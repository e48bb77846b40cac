import { failure, ExchangeInterrupted } from './failure.js';

/**
 * One clock for a whole exchange: name, connection, request, answer. Whatever runs at the moment tells it how to be
 * interrupted, so that no step has a timer of its own that a later step could forget.
 */
export class Deadline {
  private readonly startedAt = performance.now();
  private readonly timer: NodeJS.Timeout;
  private interrupt: ((reason: ExchangeInterrupted) => void) | null = null;
  private reason: ExchangeInterrupted | null = null;
  abandoned = false;

  constructor(timeoutMs: number) {
    this.timer = setTimeout(() => {
      this.end(new ExchangeInterrupted(failure('timeout', `no complete answer within ${timeoutMs} ms`)));
    }, timeoutMs);
  }

  /** Calls back when time is up; at once, if it already is. Replaces what was called back before. */
  onEnd(interrupt: (reason: ExchangeInterrupted) => void): void {
    this.interrupt = interrupt;
    if (this.reason) interrupt(this.reason);
  }

  /** The process stops: ends the exchange without a verdict on the receiver. */
  abandon(): void {
    this.abandoned = true;
    this.end(new ExchangeInterrupted(failure('timeout', 'the delivery was interrupted')));
  }

  clear(): void {
    clearTimeout(this.timer);
    this.interrupt = null;
  }

  elapsedMs(): number {
    return Math.round(performance.now() - this.startedAt);
  }

  private end(reason: ExchangeInterrupted): void {
    this.reason = reason;
    this.interrupt?.(reason);
  }
}
