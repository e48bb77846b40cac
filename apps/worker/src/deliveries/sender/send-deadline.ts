import { failure, ExchangeInterrupted } from './failure.js';

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

  /** Replaces the callback. Called at once if the time is up. */
  onEnd(interrupt: (reason: ExchangeInterrupted) => void): void {
    this.interrupt = interrupt;
    if (this.reason) interrupt(this.reason);
  }

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
