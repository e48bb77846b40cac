import { failure, ExchangeInterrupted } from './failure.js';

/**
 * One timer for a whole exchange: name, connection, request, answer. The current step says how to interrupt it, so no step
 * needs a timer of its own.
 */
export class SendDeadline {
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

  /** Calls back when the time is up, or at once if it already is. Replaces the earlier callback. */
  onEnd(interrupt: (reason: ExchangeInterrupted) => void): void {
    this.interrupt = interrupt;
    if (this.reason) interrupt(this.reason);
  }

  /** Ends the exchange without a verdict on the receiver, because the process is stopping. */
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
