import { setTimeout as delay } from 'node:timers/promises';
import { DeliveryQueue } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { Loop } from '../../loop.js';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import { LeasesService } from './leases.service.js';

/** Longer, deliveries of a lost queue wait. */
const CHECK_MS = 1_000;

/** Shorter, a worker reclaims its deliveries before another has released all. */
const RECLAIM_DELAY_MS = 300;

/** Earlier, deliveries that other workers are about to reclaim are sent twice. */
const DUE_AFTER_MS = CHECK_MS + RECLAIM_DELAY_MS + 1_200;

/**
 * After the queue was wiped, restarted or replaced, all queued deliveries are owed again, and each worker reclaims its
 * running ones. Round trips: Redis 1 per check.
 */
@Injectable()
export class QueueLossWatch {
  readonly loop = new Loop({
    round: () => this.check(),
    onError: (error) => this.telemetry.interrupted('the queue could not be checked', error),
  });
  private lifeId: string | undefined;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly leases: LeasesService,
    private readonly telemetry: WorkerMetrics,
  ) {}

  /** Deliveries queued before the first check would count as lost. */
  get isChecked(): boolean {
    return this.lifeId !== undefined;
  }

  private async check(): Promise<number> {
    const life = await this.queue.generation();
    this.telemetry.queueAnswers();
    if (life.id === this.lifeId) return CHECK_MS;
    if (life.isNew) this.telemetry.queueLost(await this.leases.giveBackAll(DUE_AFTER_MS));
    else await delay(RECLAIM_DELAY_MS);
    await this.leases.reclaim();
    this.lifeId = life.id;
    return CHECK_MS;
  }
}
