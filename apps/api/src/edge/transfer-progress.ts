/** Slower than any network that people work over. */
const MIN_BYTES_PER_SECOND = 1000;

/** Whether a transfer moves: in each window of time it must bring a minimum of bytes. */
export class TransferProgress {
  private since = 0;
  private from = 0;

  constructor(private readonly windowMs: number) {}

  /** Starts the first window. Call it too whenever the other side is not to blame for a pause. */
  restart(now: number, moved: number): void {
    this.since = now;
    this.from = moved;
  }

  isStalled(now: number, moved: number): boolean {
    if (now - this.since < this.windowMs) return false;
    const enough = moved - this.from >= (this.windowMs / 1000) * MIN_BYTES_PER_SECOND;
    this.restart(now, moved);
    return !enough;
  }
}
