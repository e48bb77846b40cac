import type { AttemptRef } from '#libs/delivery';
import { Injectable } from '@nestjs/common';
import { DeliverySlotLimiter, type Slot } from '../limits/delivery-slot-limiter.js';
import { LeasesService } from '../queue/leases.service.js';
import { AttemptLoader } from './attempt-loader.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { AttemptsService } from './attempts.service.js';
import { type AttemptResult, type LeasedDelivery, STOPPING } from './due-delivery.js';

/** Attempts of deliveries that are owed, under their leases. Round trips per delivery: PostgreSQL 2/n. */
@Injectable()
export class OwedAttemptsService {
  constructor(
    private readonly loader: AttemptLoader,
    private readonly attempts: AttemptsService,
    private readonly recorder: AttemptRecorder,
    private readonly slots: DeliverySlotLimiter,
    private readonly leases: LeasesService,
  ) {}

  async run(leased: LeasedDelivery, turn: Promise<Slot | null>): Promise<void> {
    const slot = await turn;
    if (!slot) return this.recorder.record(leased, STOPPING);
    const release = () => this.slots.release(slot);
    try {
      const delivery = await this.loader.load(leased);
      // Others may start while the result is recorded.
      if (delivery) await this.continue(leased, () => this.attempts.attempt(delivery).finally(release));
    } finally {
      release();
    }
  }

  /** Keeps the lease until the result is recorded. */
  continue(ref: AttemptRef, attempt: () => Promise<AttemptResult>): Promise<void> {
    return this.leases.keep(ref, async () => this.recorder.record(ref, await attempt()));
  }
}
