import { waitAtMost } from '#libs/pacing';
import type { DeliveryGroup, DeliveryJob, EventJob, QueueKind } from '#libs/delivery';
import { Injectable } from '@nestjs/common';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import { DeliverySlotLimiter, PROMPT_WITHIN_MS } from '../limits/delivery-slot-limiter.js';
import { AttemptsService } from './attempts.service.js';
import { FirstAttemptsService } from './first-attempts.service.js';
import { OwedAttemptsService } from './owed-attempts.service.js';

/** Results are recorded and the rest given back in this time. */
const SHUTDOWN_RESERVE_MS = 2_000;

/** Carries out jobs, and knows what is still running when the worker stops. */
@Injectable()
export class AttemptRunner {
  /** By event or delivery. */
  private readonly running = new Map<string, Promise<void>>();

  constructor(
    private readonly first: FirstAttemptsService,
    private readonly owed: OwedAttemptsService,
    private readonly attempts: AttemptsService,
    private readonly slots: DeliverySlotLimiter,
    private readonly telemetry: WorkerMetrics,
  ) {}

  /** Never rejects: what fails is still in the outbox, or owed. */
  run(job: DeliveryJob, queueKind: QueueKind): Promise<void> {
    return 'eventId' in job ? this.once(job.eventId, () => this.runEvent(job)) : this.runGroup(job, queueKind);
  }

  /** Abandons attempts shortly before `withinMs`. Returns whether all have ended. */
  async drain(withinMs: number): Promise<boolean> {
    this.slots.close();
    await this.waitUntilIdle(withinMs - SHUTDOWN_RESERVE_MS);
    this.attempts.abandonAll();
    await this.waitUntilIdle(SHUTDOWN_RESERVE_MS / 2);
    return this.running.size === 0;
  }

  private async runEvent(job: EventJob): Promise<void> {
    for (const { deliveryId, done } of await this.first.run(job)) void this.once(deliveryId, () => done);
  }

  private async runGroup({ leasedUntil, deliveries }: DeliveryGroup, queueKind: QueueKind): Promise<void> {
    const idle = deliveries.filter(({ deliveryId }) => !this.running.has(deliveryId));
    const slots = idle.map(() => this.slots.acquire(queueKind));
    const all = idle.map((delivery, place) =>
      this.once(delivery.deliveryId, () => this.owed.run({ ...delivery, leasedUntil }, slots[place]!)),
    );
    await Promise.all(slots);
    // Slower requests continue under their leases, or they would block the queue.
    await waitAtMost(PROMPT_WITHIN_MS, Promise.all(all));
  }

  /** A job may come again after Redis was lost. */
  private once(id: string, work: () => Promise<void>): Promise<void> {
    const running =
      this.running.get(id) ??
      work()
        .catch((error: unknown) => this.telemetry.interrupted('an attempt was not completed', error))
        .finally(() => this.running.delete(id));
    this.running.set(id, running);
    return running;
  }

  private async waitUntilIdle(withinMs: number): Promise<void> {
    const end = performance.now() + withinMs;
    while (this.running.size > 0 && performance.now() < end)
      await waitAtMost(end - performance.now(), Promise.all(this.running.values()));
  }
}
