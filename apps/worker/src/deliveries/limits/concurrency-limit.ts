/** Requests before the first response. More would be lost to a receiver that never responds. */
export const INITIAL_LIMIT = 8;

/** Functions, because the shares of a worker change with the number of workers. */
export interface ConcurrencyBounds {
  readonly initial: () => number;
  readonly max: () => number;
}

/** A response raises the limit by one while more than half of it is in use, which doubles it per round trip. */
export class ConcurrencyLimit {
  taken = 0;
  private limit: number;

  constructor(private readonly bounds: ConcurrencyBounds) {
    this.limit = bounds.initial();
  }

  get isAtMax(): boolean {
    return this.limit >= this.bounds.max();
  }

  get places(): number {
    return Math.min(this.limit, this.bounds.max());
  }

  /** The places after a round trip, if it stays in use. */
  get placesNext(): number {
    return Math.min(2 * this.limit, this.bounds.max());
  }

  raise(): void {
    if (this.taken * 2 > this.limit && !this.isAtMax) this.limit += 1;
  }

  lowerTo(limit: number): void {
    this.limit = limit;
  }
}
