import type { DeliveryGroup, DeliveryJob, QueueKind } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { DeliverySlotLimiter, PROMPT_WITHIN_MS } from '../limits/delivery-slot-limiter.js';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import { AttemptsService } from './attempts.service.js';
import { FirstAttemptsService, waitAtMost } from './first-attempts.service.js';
import { OwedAttemptsService } from './owed-attempts.service.js';

/** Results are recorded and the rest given back in this time. */
const SHUTDOWN_RESERVE_MS = 2_000;

/** Carries out jobs, and knows what is still running when the worker stops. */
@Injectable()
export class AttemptRunner {
  private readonly running = new Set<Promise<unknown>>();

  constructor(
    private readonly first: FirstAttemptsService,
    private readonly owed: OwedAttemptsService,
    private readonly attempts: AttemptsService,
    private readonly slots: DeliverySlotLimiter,
    private readonly telemetry: WorkerMetrics,
  ) {}

  /** Never rejects: what fails is still in the outbox, or owed. */
  run(job: DeliveryJob, queueKind: QueueKind): Promise<void> {
    return 'eventId' in job ? this.track(this.runEvent(job.eventId)) : this.runGroup(job, queueKind);
  }

  /** Abandons attempts shortly before `withinMs`. Returns whether all have ended. */
  async drain(withinMs: number): Promise<boolean> {
    this.slots.close();
    await this.waitUntilIdle(withinMs - SHUTDOWN_RESERVE_MS);
    this.attempts.abandonAll();
    await this.waitUntilIdle(SHUTDOWN_RESERVE_MS / 2);
    return this.running.size === 0;
  }

  private async runEvent(eventId: string): Promise<void> {
    for (const late of await this.first.run(eventId)) void this.track(late);
  }

  private async runGroup({ leasedUntil, deliveries }: DeliveryGroup, queueKind: QueueKind): Promise<void> {
    const slots = deliveries.map(() => this.slots.acquire(queueKind));
    const all = deliveries.map((delivery, place) =>
      this.track(this.owed.run({ ...delivery, leasedUntil }, slots[place]!)),
    );
    await Promise.all(slots);
    // Slower requests continue under their leases, or they would block the queue.
    await waitAtMost(PROMPT_WITHIN_MS, Promise.all(all));
  }

  private async track(work: Promise<unknown>): Promise<void> {
    this.running.add(work);
    try {
      await work;
    } catch (error) {
      this.telemetry.interrupted('an attempt was not completed', error);
    } finally {
      this.running.delete(work);
    }
  }

  private async waitUntilIdle(withinMs: number): Promise<void> {
    const end = performance.now() + withinMs;
    while (this.running.size > 0 && performance.now() < end)
      await waitAtMost(end - performance.now(), Promise.allSettled(this.running));
  }
}
