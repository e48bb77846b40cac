import { waitAtMost } from '#libs/pacing';
import type { AttemptRef, DeliveryGroup, DeliveryJob, QueueKind } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import { DeliverySlotLimiter, PROMPT_WITHIN_MS, type Slot } from '../limits/delivery-slot-limiter.js';
import { LeasesService } from '../queue/leases.service.js';
import { AttemptLoader } from './attempt-loader.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { AttemptsService } from './attempts.service.js';
import { type AttemptResult, type DueDelivery, type LeasedDelivery, STOPPING } from './due-delivery.js';

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
    return this.leases.runOnce(ref, async () => this.recorder.record(ref, await attempt()));
  }
}

interface FirstAttempt {
  readonly delivery: DueDelivery;
  readonly running: Promise<AttemptResult>;
  result?: AttemptResult;
}

/**
 * The first attempts of an express event. Its deliveries are written together, once, with the results; until then the event
 * is in the outbox. Slower attempts continue as owed deliveries. Round trips: PostgreSQL 2/n.
 */
@Injectable()
export class FirstAttemptsService {
  private readonly events = new Set<string>();

  constructor(
    private readonly loader: AttemptLoader,
    private readonly attempts: AttemptsService,
    private readonly recorder: AttemptRecorder,
    private readonly owed: OwedAttemptsService,
    private readonly slots: DeliverySlotLimiter,
  ) {}

  /** Resolves when the event has left the outbox. Returns the attempts that are still running. */
  async run(eventId: string): Promise<Promise<void>[]> {
    if (this.events.has(eventId)) return [];
    this.events.add(eventId);
    try {
      return await this.attemptAll(eventId);
    } finally {
      this.events.delete(eventId);
    }
  }

  private async attemptAll(eventId: string): Promise<Promise<void>[]> {
    const attempts = (await this.loader.loadFirst(eventId)).map((delivery) => this.start(delivery));
    await waitAtMost(PROMPT_WITHIN_MS, Promise.allSettled(attempts.map(({ running }) => running)));
    const late = attempts.filter(({ result }) => !result);
    const isRecorded = await this.recorder.recordFirst(
      eventId,
      attempts.map(({ delivery, result }) => ({ delivery, result })),
    );
    if (!isRecorded) return [];
    return late.map(({ delivery, running }) => this.owed.continue(delivery, () => running));
  }

  private start(delivery: DueDelivery): FirstAttempt {
    const attempt: FirstAttempt = { delivery, running: this.attempt(delivery) };
    attempt.running.then(
      (result) => (attempt.result = result),
      () => undefined,
    );
    return attempt;
  }

  private async attempt(delivery: DueDelivery): Promise<AttemptResult> {
    if (delivery.isSlow) return { reason: 'silent', forMs: 0 };
    const slot = await this.slots.acquire('express');
    if (!slot) return STOPPING;
    try {
      return await this.attempts.attempt(delivery);
    } finally {
      this.slots.release(slot);
    }
  }
}

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
