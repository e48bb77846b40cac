import { Clock } from '#libs/database';

/** Runs like the real clock, and can be moved. */
export class MovableClock extends Clock {
  private offsetMs = 0;

  override now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  advance({ days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 }): void {
    this.offsetMs += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + ms;
  }
}
