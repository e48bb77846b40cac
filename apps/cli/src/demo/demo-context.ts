import { Clock } from '#libs/database';
import type { CustomerFields, RequestContext } from '#libs/tickets';
import type { INestApplicationContext } from '@nestjs/common';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** A clock that the demonstration moves through its story. */
export class DemoClock extends Clock {
  at = new Date();

  override now(): Date {
    return new Date(this.at);
  }
}

export type ActingAgent = RequestContext & { readonly email: string };

export interface DemoContext {
  readonly app: INestApplicationContext;
  readonly clock: DemoClock;
  readonly random: SeededRandom;
  readonly end: Date;
  readonly agents: readonly ActingAgent[];
  readonly customers: readonly CustomerFields[];
}

/** Mulberry32. The same seed gives the same story on every machine. */
export class SeededRandom {
  constructor(private state: number) {}

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  integer(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.next() * from.length)]!;
  }
}
