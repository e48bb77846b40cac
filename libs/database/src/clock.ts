import { Injectable } from '@nestjs/common';

/** The only place that asks what time it is. Tests move it. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }

  /** The time at which so many milliseconds will have passed. */
  in(ms: number): Date {
    return later(this.now(), ms);
  }
}

export function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + Math.round(ms));
}
