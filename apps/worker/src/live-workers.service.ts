import { Injectable } from '@nestjs/common';

/** The state that the last heartbeat found. */
@Injectable()
export class LiveWorkersService {
  /** False while the clock is unknown or a lease off PostgreSQL’s: receivers refuse signatures of wrong times. */
  mayWork = false;
  /** The count includes this one; the place is from 0. */
  private seen = { count: 1, place: 0 };

  update({ count, place }: { readonly count: number; readonly place: number }): void {
    this.seen = { count: Math.max(1, count), place };
  }

  shareOf(total: number): number {
    return Math.max(1, Math.ceil(total / this.seen.count));
  }

  allOf(each: number): number {
    return each * this.seen.count;
  }

  /** One worker per account reacts to its bell; without an account, all do. A pulse finds missed events. */
  isFirstFor(accountIds: readonly string[]): boolean {
    const { count, place } = this.seen;
    return (
      accountIds.length === 0 ||
      accountIds.some((id) => Number.parseInt(id.slice(-RANDOM_DIGITS), 16) % count === place)
    );
  }
}

const RANDOM_DIGITS = 8;
