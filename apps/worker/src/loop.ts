/** Resolves with the milliseconds until the next round. */
export type Round = () => Promise<number>;

export const UNTIL_WOKEN = Number.POSITIVE_INFINITY;

/** Without it a missing database is polled in a tight loop. */
export const ERROR_PAUSE_MS = 500;

interface LoopOptions {
  readonly round: Round;
  readonly onError: (error: unknown) => void;
  readonly errorPauseMs?: number;
}

/** Never runs twice at once, and continues after errors. A wake-up during a round starts the next at once. */
export class Loop {
  private timer: NodeJS.Timeout | undefined;
  private immediate: NodeJS.Immediate | undefined;
  private running: Promise<void> | undefined;
  private again = false;
  private stopped = true;

  constructor(private readonly options: LoopOptions) {}

  start(): void {
    this.stopped = false;
    this.wake();
  }

  wake(): void {
    this.again = true;
    if (this.stopped || this.running) return;
    // A timer takes at least a millisecond.
    this.immediate ??= setImmediate(() => this.run());
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.forgetWakeUp();
    await this.running;
  }

  private forgetWakeUp(): void {
    clearTimeout(this.timer);
    clearImmediate(this.immediate);
    this.immediate = undefined;
  }

  private run(): void {
    this.forgetWakeUp();
    this.again = false;
    // Deferred, because a round may wake its loop before it waits.
    this.running = Promise.resolve().then(() => this.roundAndNext());
  }

  private async roundAndNext(): Promise<void> {
    const pauseMs = await this.round();
    this.running = undefined;
    if (this.again || pauseMs === 0) this.wake();
    else if (!this.stopped && pauseMs !== UNTIL_WOKEN) this.timer = setTimeout(() => this.run(), pauseMs);
  }

  private async round(): Promise<number> {
    try {
      return await this.options.round();
    } catch (error) {
      this.options.onError(error);
      return this.options.errorPauseMs ?? ERROR_PAUSE_MS;
    }
  }
}
