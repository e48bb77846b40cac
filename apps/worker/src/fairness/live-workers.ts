import { Injectable } from '@nestjs/common';

/** How many workers share the work, this one included. What all together may do, each does a part of. */
@Injectable()
export class LiveWorkers {
  private count = 1;

  saw(count: number): void {
    this.count = Math.max(1, count);
  }

  /** At least one. */
  shareOf(total: number): number {
    return Math.max(1, Math.ceil(total / this.count));
  }
}
