import type { ExchangeInterrupted } from './failure.js';

/** Ends a post early. An AbortController would double the CPU of a post. */
export class Stop {
  reason: ExchangeInterrupted | null = null;
  /** Each step of the post replaces it. */
  listener: (reason: ExchangeInterrupted) => void = () => undefined;

  end(reason: ExchangeInterrupted): void {
    this.reason ??= reason;
    this.listener(this.reason);
  }
}
