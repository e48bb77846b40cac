import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { type BullWorker, type DeliveryGroup, DeliveryQueue, type Lane } from '#libs/webhooks';
import { Inject, Injectable } from '@nestjs/common';
import { AttemptsService } from './attempts.service.js';
import { JobIntake } from '../fairness/job-intake.js';
import { Slots } from '../fairness/slots.js';

/**
 * A job ends when all of its deliveries are recorded, or so long after they were begun: what takes longer is kept by its lease, which
 * LeaseKeeper renews, so that a slow receiver holds neither the others of its job nor the job's place.
 */
const JOB_LASTS_MS = 500;

/** The doorbell: a job comes, and the service is called for each delivery in it. */
@Injectable()
export class DeliveryWorker {
  private readonly workers: BullWorker[] = [];
  private readonly intakes: JobIntake[] = [];

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly attempts: AttemptsService,
    private readonly slots: Slots,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  start(): void {
    this.startLane('express', (jobs) => jobs < this.settings.WORKER_CONCURRENCY);
    this.startLane('bulk', () => this.slots.wantsBulk);
  }

  /** Takes no more, and lets go of what it has. */
  async stop(): Promise<void> {
    for (const intake of this.intakes) intake.stop();
    await Promise.all(this.workers.map((worker) => worker.pause(true)));
    const isDone = await this.attempts.finish(this.settings.SHUTDOWN_GRACE_MS);
    await Promise.all(this.workers.map((worker) => worker.close(!isDone)));
  }

  private startLane(lane: Lane, wantsMore: (jobs: number) => boolean): void {
    const worker = this.queue.startWorker(lane, (group) => intake.during(() => this.perform(group, lane)));
    const intake = new JobIntake(worker, wantsMore);
    this.workers.push(worker);
    this.intakes.push(intake);
  }

  private async perform({ leasedUntil, deliveries }: DeliveryGroup, lane: Lane): Promise<void> {
    const turns = deliveries.map(() => this.slots.enter(lane));
    const all = deliveries.map((delivery, place) =>
      this.attempts.perform({ ...delivery, leasedUntil, lane }, turns[place]!),
    );
    await Promise.all(turns);
    await within(JOB_LASTS_MS, Promise.all(all));
  }
}

/** At the latest then. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work, patience]);
  clearTimeout(timer);
}
