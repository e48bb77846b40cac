/** What the work says when it is done: how long until it should be done again, if nobody wakes it before. */
export type Round = () => Promise<number>;

export interface LoopOptions {
  readonly round: Round;
  readonly onError: (error: unknown) => void;
  /** After an error, so that a database that is away is asked again soon but not in a tight circle. */
  readonly errorPauseMs?: number;
}

/**
 * Does one piece of work again and again, never twice at once, for as long as the process lives: an error is told and
 * the next round comes. A wake-up during a round is not lost; another round follows at once.
 */
export class Loop {
  private timer: NodeJS.Timeout | undefined;
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

  /** At the latest then; an earlier wake-up stands. */
  wakeIn(ms: number): void {
    const at = performance.now() + ms;
    if (this.stopped || at >= this.wakesAt) return;
    if (this.running) {
      this.again ||= ms === 0;
      if (ms > 0) this.wakesAt = at;
      return;
    }
    clearTimeout(this.timer);
    this.wakesAt = at;
    this.timer = setTimeout(() => this.run(), ms);
  }

  /** No new round begins; resolves when the one that runs is done. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
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
