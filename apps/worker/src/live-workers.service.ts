import { Injectable } from '@nestjs/common';

export interface SeenWorkers {
  /** How many there are, this one included. */
  readonly count: number;
  /** Which of them this one is, from 0. */
  readonly place: number;
}

/** The workers that share the work. What all together may do, each does a part of. */
@Injectable()
export class LiveWorkersService {
  private seen: SeenWorkers = { count: 1, place: 0 };

  saw(seen: SeenWorkers): void {
    this.seen = { ...seen, count: Math.max(1, seen.count) };
  }

  /** At least one. */
  shareOf(total: number): number {
    return Math.max(1, Math.ceil(total / this.seen.count));
  }

  /** What each adds, all together have. */
  allOf(each: number): number {
    return each * this.seen.count;
  }

  /**
   * Whether this worker is to look at once for one of these accounts, or for any where none is named: each account has one
   * worker that is. If that one is gone, the others find what there is when they look anyway.
   */
  isFirstFor(accountIds: readonly string[]): boolean {
    const { count, place } = this.seen;
    return (
      accountIds.length === 0 ||
      accountIds.some((id) => Number.parseInt(id.slice(-RANDOM_DIGITS), 16) % count === place)
    );
  }
}

/** Of an id, the last digits are random. */
const RANDOM_DIGITS = 8;
