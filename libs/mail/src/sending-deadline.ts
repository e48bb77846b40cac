const MINUTE_MS = 60_000;

/** RFC 5321 (4.5.3.2): clients wait five minutes for each step and ten after the end. */
export const SENDING_LIMITS = {
  /** Until the end of the mail may be sent. */
  baseMs: 10 * MINUTE_MS,
  /** Each sent byte extends the time at this rate. */
  bytesPerSecond: 32 * 1024,
  answerMs: 10 * MINUTE_MS,
};

export type SendingLimits = Readonly<typeof SENDING_LIMITS>;

export class SendingTooSlow extends Error {}

/** A server that drips never triggers an idle timeout. */
export class SendingDeadline {
  private readonly startedAt = performance.now();
  private endsAt: number;
  private timer: NodeJS.Timeout;

  constructor(
    private readonly limits: SendingLimits,
    private readonly end: (reason: SendingTooSlow) => void,
  ) {
    this.endsAt = this.startedAt + limits.baseMs;
    this.timer = setTimeout(() => this.check(), limits.baseMs);
  }

  extendFor(bytes: number): void {
    this.endsAt += (bytes / this.limits.bytesPerSecond) * 1000;
  }

  awaitAnswer(): void {
    clearTimeout(this.timer);
    this.endsAt = performance.now() + this.limits.answerMs;
    this.timer = setTimeout(() => this.check(), this.limits.answerMs);
  }

  clear(): void {
    clearTimeout(this.timer);
  }

  private check(): void {
    const now = performance.now();
    if (now < this.endsAt) this.timer = setTimeout(() => this.check(), Math.ceil(this.endsAt - now));
    else
      this.end(new SendingTooSlow(`The mail server did not accept the email within ${inWords(now - this.startedAt)}.`));
  }
}

const inWords = (ms: number): string =>
  ms < MINUTE_MS ? `${Math.round(ms / 1000)} seconds` : `${Math.round(ms / MINUTE_MS)} minutes`;
