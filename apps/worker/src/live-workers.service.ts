import { Injectable } from '@nestjs/common';

interface SeenWorkers {
  /** Including this one. */
  readonly count: number;
  /** From 0. */
  readonly place: number;
}

@Injectable()
export class LiveWorkersService {
  private seen: SeenWorkers = { count: 1, place: 0 };

  update(seen: SeenWorkers): void {
    this.seen = { ...seen, count: Math.max(1, seen.count) };
  }

  shareOf(total: number): number {
    return Math.max(1, Math.ceil(total / this.seen.count));
  }

  allOf(each: number): number {
    return each * this.seen.count;
  }

  /** One worker per account reacts to its bell; without an account, all do. Others find the events when they poll. */
  isFirstFor(accountIds: readonly string[]): boolean {
    const { count, place } = this.seen;
    return (
      accountIds.length === 0 ||
      accountIds.some((id) => Number.parseInt(id.slice(-RANDOM_DIGITS), 16) % count === place)
    );
  }
}

const RANDOM_DIGITS = 8;
