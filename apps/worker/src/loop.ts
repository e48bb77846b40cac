/** Resolves with the milliseconds until the next round. */
export type Round = () => Promise<number>;

interface LoopOptions {
  readonly round: Round;
  readonly onError: (error: unknown) => void;
  /** Without it a missing database is polled in a tight loop. */
  readonly errorPauseMs?: number;
}

/** Never runs twice at once, and continues after errors. A wake-up during a round starts the next at once. */
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
    // A timer takes at least a millisecond.
    if (ms === 0) this.immediate = setImmediate(() => this.run());
    else this.timer = setTimeout(() => this.run(), ms);
  }

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
