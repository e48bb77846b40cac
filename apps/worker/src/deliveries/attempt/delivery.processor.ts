import { setTimeout as delay } from 'node:timers/promises';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { type BullWorker, type DeliveryGroup, DeliveryQueue, JobIntake, type QueueKind } from '#libs/webhooks';
import { Inject, Injectable } from '@nestjs/common';
import { DeliverySlotLimiter, PROMPT_WITHIN_MS, type Slot } from '../limits/delivery-slot-limiter.js';
import { WorkPermitService } from '../queue/work-permit.service.js';
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
  async run(leased: LeasedDelivery, granted: Promise<Slot | null>): Promise<void> {
    this.running += 1;
    const slot = await granted;
    try {
      if (!this.owed.hasLeaseLeft(leased.leasedUntil)) return;
      if (slot) await this.inFlight.runOnce(leased, (hold) => this.attemptOrPostpone(leased, hold));
      else await this.postpone(leased, STOPPING);
    } catch (error) {
      this.telemetry.worker.interrupted('an attempt was not completed', error);
    } finally {
      if (slot) this.slots.release(slot);
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

const JOB_INTAKE_CHECK_MS = 100;

@Injectable()
export class DeliveryProcessor {
  private readonly workers: BullWorker[] = [];
  private readonly intakes: JobIntake[] = [];

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly runner: AttemptRunner,
    private readonly slots: DeliverySlotLimiter,
    private readonly permit: WorkPermitService,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  start(): void {
    this.permit.onChange(() => this.takeJobsIfPermitted());
    this.takeJobsIfPermitted();
  }

  async stop(): Promise<void> {
    for (const intake of this.intakes) intake.stop();
    await Promise.all(this.workers.map((worker) => worker.pause(true)));
    const isDone = await this.runner.drain(this.settings.SHUTDOWN_GRACE_MS);
    await Promise.all(this.workers.map((worker) => worker.close(!isDone)));
  }

  private takeJobsIfPermitted(): void {
    const { isGiven } = this.permit;
    for (const worker of this.workers) void (isGiven ? worker.resume() : worker.pause(true));
    if (!isGiven || this.workers.length > 0) return;
    this.startQueue('express', (jobs) => this.permit.isGiven && jobs < this.settings.WORKER_CONCURRENCY);
    this.startQueue('bulk', () => this.permit.isGiven && this.slots.wantsBulk);
  }

  private startQueue(queueKind: QueueKind, wantsMore: (jobs: number) => boolean): void {
    const worker = this.queue.startWorker(queueKind, (group) => intake.run(() => this.perform(group, queueKind)));
    const intake = new JobIntake(worker, { wantsMore, checkIntervalMs: JOB_INTAKE_CHECK_MS });
    this.workers.push(worker);
    this.intakes.push(intake);
  }

  private async perform({ leasedUntil, deliveries }: DeliveryGroup, queueKind: QueueKind): Promise<void> {
    const slotsGranted = deliveries.map(() => this.slots.acquire(queueKind));
    const all = deliveries.map((delivery, place) =>
      this.runner.run({ ...delivery, leasedUntil, queueKind }, slotsGranted[place]!),
    );
    await Promise.all(slotsGranted);
    // Slower requests continue under their leases, or they would block the queue.
    await waitAtMost(PROMPT_WITHIN_MS, Promise.all(all));
  }
}

async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}
