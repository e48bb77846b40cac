import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { type BullWorker, type DeliveryJob, DeliveryQueue, type Lane } from '#libs/webhooks';
import { Inject, Injectable } from '@nestjs/common';
import { AttemptsService } from './attempts.service.js';
import { Slots } from './slots.js';

/** The doorbell: a job comes, and the service is called. */
@Injectable()
export class DeliveryWorker {
  private worker: BullWorker | undefined;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly attempts: AttemptsService,
    private readonly slots: Slots,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  start(): void {
    this.worker = this.queue.startWorker((job, lane) => this.perform(job, lane), this.settings.WORKER_CONCURRENCY);
    this.slots.lendTo(this.worker);
  }

  /** Takes no more, and lets go of what it has. */
  async stop(): Promise<void> {
    this.slots.takeBack();
    await this.worker?.pause(true);
    const isDone = await this.attempts.finish(this.settings.SHUTDOWN_GRACE_MS);
    await this.worker?.close(!isDone);
  }

  private perform(job: DeliveryJob, lane: Lane): Promise<void> {
    this.slots.began(lane);
    return this.attempts.perform(job);
  }
}
