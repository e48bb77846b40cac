import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DeliverySlotLimiter } from '../limits/delivery-slot-limiter.js';
import { InFlightDeliveriesService } from '../queue/in-flight-deliveries.service.js';
import { OwedDeliveriesService } from '../queue/owed-deliveries.service.js';
import { AttemptMetrics } from './attempt-metrics.js';
import { AttemptsService } from './attempts.service.js';
import { type LeasedDelivery, type Postponement, STOPPING } from './due-delivery.js';

/** Results are recorded and the rest given back in this time. */
const SHUTDOWN_RESERVE_MS = 2_000;
const IDLE_CHECK_MS = 20;

@Injectable()
export class AttemptRunner {
  private running = 0;

  constructor(
    private readonly attempts: AttemptsService,
    private readonly slots: DeliverySlotLimiter,
    private readonly inFlight: InFlightDeliveriesService,
    private readonly owed: OwedDeliveriesService,
    private readonly telemetry: AttemptMetrics,
  ) {}

  /** Never rejects: a failed delivery is still owed. */
  async run(leased: LeasedDelivery, slot: Promise<boolean>): Promise<void> {
    this.running += 1;
    const hasSlot = await slot;
    try {
      if (!this.owed.hasLeaseLeft(leased.leasedUntil)) return;
      if (hasSlot) await this.inFlight.runOnce(leased, (hold) => this.attemptOrPostpone(leased, hold));
      else await this.postpone(leased, STOPPING);
    } catch (error) {
      this.telemetry.interrupted(error);
    } finally {
      if (hasSlot) this.slots.release();
      this.running -= 1;
    }
  }

  /** Abandons attempts shortly before `withinMs`. Returns whether all have ended. */
  async drain(withinMs: number): Promise<boolean> {
    this.slots.close();
    await this.waitUntilIdle(withinMs - SHUTDOWN_RESERVE_MS);
    this.attempts.abandonAll();
    await this.waitUntilIdle(SHUTDOWN_RESERVE_MS / 2);
    return this.running === 0;
  }

  private async attemptOrPostpone(leased: LeasedDelivery, hold: () => void): Promise<void> {
    const postponement = await this.attempts.attempt(leased, hold);
    if (postponement) await this.postpone(leased, postponement);
  }

  private async postpone(leased: LeasedDelivery, { reason, forMs }: Postponement): Promise<void> {
    this.telemetry.postponed(reason);
    await this.owed.giveBackOne(leased, forMs);
  }

  private async waitUntilIdle(withinMs: number): Promise<void> {
    const end = performance.now() + withinMs;
    while (this.running > 0 && performance.now() < end) await delay(IDLE_CHECK_MS);
  }
}
