import { Injectable } from '@nestjs/common';

/** The only place that reads the time, so that tests can move it. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }

  in(ms: number): Date {
    return later(this.now(), ms);
  }
}

export const later = (at: Date, ms: number): Date => new Date(at.getTime() + Math.round(ms));

/** A slower reading is less precise than an older one. */
const MAX_READING_MS = 1_000;

/** PostgreSQL's time; this machine's until the first reading. */
export class DatabaseClock extends Clock {
  /** Added to `performance.now()`. */
  private offset: number | undefined;

  override now(): Date {
    return this.offset === undefined ? super.now() : new Date(performance.now() + this.offset);
  }

  /**
   * PostgreSQL read its clock between question and answer, which are times of `performance.now()`: setting the clock does
   * not change it. While this machine’s clock agrees, it is used, which keeps the order of times that an API here writes.
   */
  follow({ databaseNow, askedAt, answeredAt }: { databaseNow: Date; askedAt: number; answeredAt: number }): void {
    if (this.offset !== undefined && answeredAt - askedAt > MAX_READING_MS) return;
    const database = databaseNow.getTime() - (askedAt + answeredAt) / 2;
    const machine = super.now().getTime() - performance.now();
    this.offset = Math.abs(database - machine) <= (answeredAt - askedAt) / 2 ? machine : database;
  }

  /** Positive if this machine is ahead. Undefined until the first reading. */
  get skewMs(): number | undefined {
    return this.offset === undefined ? undefined : super.now().getTime() - this.now().getTime();
  }
}
