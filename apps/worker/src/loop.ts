/** Does the work once, and resolves with the pause in milliseconds until the next round. */
export type Round = () => Promise<number>;

export interface LoopOptions {
  readonly round: Round;
  readonly onError: (error: unknown) => void;
  /** The pause after an error, so that a database that is away is not asked in a tight loop. */
  readonly errorPauseMs?: number;
}

/**
 * Runs a piece of work again and again, never twice at once. After an error it calls `onError` and goes on. A wake-up
 * during a round is kept, and the next round follows at once.
 */
export class Loop {
  private timer: NodeJS.Timeout | undefined;
  private immediate: NodeJS.Immediate | undefined;
  private wakesAt = Number.POSITIVE_INFINITY;
  private running: Promise<void> | undefined;
  private again = false;
  private stopped = true;

  constructor(private readonly options: LoopOptions) {}

  start(): void {
    this.stopped = false;
    this.wake();
  }

  wake(): void {
    this.wakeIn(0);
  }

  /** Runs the next round in `ms` at the latest. An earlier wake-up still counts. */
  wakeIn(ms: number): void {
    const at = performance.now() + ms;
    if (this.stopped || at >= this.wakesAt) return;
    if (this.running) {
      this.again ||= ms === 0;
      if (ms > 0) this.wakesAt = at;
      return;
    }
    this.forgetWakeUp();
    this.wakesAt = at;
    // A timer takes a millisecond at least, which a single event would notice.
    if (ms === 0) this.immediate = setImmediate(() => this.run());
    else this.timer = setTimeout(() => this.run(), ms);
  }

  /** Starts no new round, and resolves when the current one has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.forgetWakeUp();
    await this.running;
  }

  private forgetWakeUp(): void {
    clearTimeout(this.timer);
    clearImmediate(this.immediate);
  }

  private run(): void {
    this.again = false;
    this.wakesAt = Number.POSITIVE_INFINITY;
    this.running = this.roundAndNext();
  }

  private async roundAndNext(): Promise<void> {
    const pauseMs = await this.round();
    const askedInMs = Math.max(0, this.wakesAt - performance.now());
    this.running = undefined;
    this.wakesAt = Number.POSITIVE_INFINITY;
    this.wakeIn(this.again ? 0 : Math.min(pauseMs, askedInMs));
  }

  private async round(): Promise<number> {
    try {
      return await this.options.round();
    } catch (error) {
      this.options.onError(error);
      return this.options.errorPauseMs ?? 500;
    }
  }
}
