import { Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';

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

/** A reading is wrong by half of its time at most. */
const PRECISE_READING_MS = 10;
const MAX_READINGS = 5;

/** PostgreSQL's time; this machine's until the first reading. */
export class DatabaseClock extends Clock {
  /** Added to `performance.now()`. */
  private offset: number | undefined;

  override now(): Date {
    return this.offset === undefined ? super.now() : new Date(performance.now() + this.offset);
  }

  /** Reads again while this process or PostgreSQL is slow. */
  async read(dataSource: DataSource): Promise<void> {
    for (let readings = 0; readings < MAX_READINGS; readings++) {
      const askedAt = performance.now();
      const [row] = await dataSource.query<[{ databaseNow: Date }]>('select clock_timestamp() as "databaseNow"');
      const answeredAt = performance.now();
      this.follow({ ...row, askedAt, answeredAt });
      if (answeredAt - askedAt <= PRECISE_READING_MS) return;
    }
  }

  /**
   * PostgreSQL read its clock between request and response, which are times of `performance.now()`: setting the clock does
   * not change it. The time in use, or else this machine’s, stays while the reading is too imprecise to contradict it,
   * which keeps the order of times that the processes of a machine write.
   */
  follow({ databaseNow, askedAt, answeredAt }: { databaseNow: Date; askedAt: number; answeredAt: number }): void {
    if (this.offset !== undefined && answeredAt - askedAt > MAX_READING_MS) return;
    const database = databaseNow.getTime() - (askedAt + answeredAt) / 2;
    const machine = super.now().getTime() - performance.now();
    const isPossible = (offset: number) => Math.abs(database - offset) <= (answeredAt - askedAt) / 2;
    this.offset = [this.offset ?? machine, machine].find(isPossible) ?? database;
  }

  /** Positive if this machine is ahead. Undefined until the first reading. */
  get skewMs(): number | undefined {
    return this.offset === undefined ? undefined : super.now().getTime() - this.now().getTime();
  }
}

/** A difference that an operator has to correct. */
export const MAX_SKEW_MS = 2_000;

interface OutageLog {
  lasts(what: string, words: string): void;
  isOver(what: string, words: string): void;
}

/** Called for each reading. Positive if this machine is ahead. */
export function logSkew(log: OutageLog, skewMs: number, consequence = ''): void {
  if (Math.abs(skewMs) < MAX_SKEW_MS) return log.isOver('clock', 'the clock of this machine is right again');
  const off = `${(Math.abs(skewMs) / 1_000).toFixed(1)} s ${skewMs > 0 ? 'ahead of' : 'behind'} PostgreSQL’s`;
  log.lasts('clock', `the clock of this machine is ${off}${consequence}: set both by NTP`);
}
