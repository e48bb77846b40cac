import { Clock } from '#libs/database';

/** Stands where the story is. */
export class DemoClock extends Clock {
  private at = new Date();

  override now(): Date {
    return new Date(this.at);
  }

  moveTo(at: Date): void {
    this.at = at;
  }
}
