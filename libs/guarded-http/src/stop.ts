import type { ExchangeInterrupted } from './failure.js';

/** Ends a request early. An AbortController would double the CPU of a webhook. */
export class Stop {
  reason: ExchangeInterrupted | null = null;
  /** Each step of the request replaces it. */
  listener: (reason: ExchangeInterrupted) => void = () => undefined;

  end(reason: ExchangeInterrupted): void {
    this.reason ??= reason;
    this.listener(this.reason);
  }
}
