import { Clock } from './clock.js';

/** What PostgreSQL said what time it is, and between which moments of this process it said so. */
export interface TimeReading {
  readonly databaseNow: Date;
  /** Of `performance.now()`, which no correction of the clock moves. */
  readonly askedAt: number;
  readonly answeredAt: number;
}

/** A reading that took longer is worth less than an older one. */
const GOOD_WITHIN_MS = 1_000;

/** The time of PostgreSQL, for processes that have to agree about it. The clock of this machine, until it has been asked. */
export class DatabaseClock extends Clock {
  /** What has to be added to `performance.now()`. */
  private offset: number | undefined;

  override now(): Date {
    return this.offset === undefined ? super.now() : new Date(performance.now() + this.offset);
  }

  /**
   * PostgreSQL may have said it at any moment between the question and the answer. As long as the clock of this machine may be
   * right, it is: what an API on the same machine writes down by that clock keeps its order with what is written by this one.
   */
  follow({ databaseNow, askedAt, answeredAt }: TimeReading): void {
    if (this.offset !== undefined && answeredAt - askedAt > GOOD_WITHIN_MS) return;
    const said = databaseNow.getTime() - (askedAt + answeredAt) / 2;
    const here = super.now().getTime() - performance.now();
    this.offset = Math.abs(said - here) <= (answeredAt - askedAt) / 2 ? here : said;
  }

  /** How far the clock of this machine is ahead. Undefined until PostgreSQL has been asked. */
  get skewMs(): number | undefined {
    return this.offset === undefined ? undefined : super.now().getTime() - this.now().getTime();
  }
}
