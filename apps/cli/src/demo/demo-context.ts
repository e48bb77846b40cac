import { Clock } from '#libs/database';
import type { CustomerFields, RequestContext } from '#libs/tickets';
import type { INestApplicationContext } from '@nestjs/common';
import type { SeededRandom } from './seeded-random.js';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

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

export type ActingAgent = RequestContext & { readonly email: string };

/** Who writes for whom, once the desk is set up. */
export interface DemoContext {
  /** Has the services of the API. */
  readonly app: INestApplicationContext;
  readonly clock: DemoClock;
  readonly random: SeededRandom;
  /** When the story ends: now. */
  readonly end: Date;
  /** The owner first. */
  readonly agents: readonly ActingAgent[];
  readonly customers: readonly CustomerFields[];
}
